import { Mailbox } from './gmail/mailbox.ts';
import { messageResource } from './gmail/message-resource.ts';
import { readMessage, walkParts } from './mime/mime-tree.ts';
import { sampleMailbox } from './samples/mail/sample-mailbox.ts';
import { harbor } from './samples/pulls/harbor.ts';
import { sampleRepository } from './samples/pulls/sample-pulls.ts';
import { SAMPLE_GOOGLE_ACCOUNTS } from './samples/sample-accounts.ts';

/** Gmail's system labels in a demo workspace; they come before the user labels. */
const SYSTEM_LABELS = ['INBOX', 'SENT', 'STARRED', 'IMPORTANT', 'UNREAD'];
const LINKS = { web: 'https://github.com', api: 'https://api.github.com' };

/** The data of a demo workspace, in the formats of the providers' APIs. */
export interface DemoSample {
  mailAccount: string;
  codeAccount: string;
  labels: unknown[];
  messages: unknown[];
  pulls: unknown[];
  runs: unknown[];
  repository: { owner: string; repo: string };
}

function labelResources(mailbox: Mailbox, count: number): unknown[] {
  const known = mailbox.labels.filter((label) => label.type === 'user' || SYSTEM_LABELS.includes(label.id));
  return known.slice(0, count).map(({ id, name, type }) => {
    const mails = mailbox.mails.filter((mail) => mail.labelIds.includes(id));
    const unread = mails.filter((mail) => mail.labelIds.includes('UNREAD'));
    const threads = (of: typeof mails) => new Set(of.map((mail) => mail.threadId)).size;
    const counts = { messagesTotal: mails.length, messagesUnread: unread.length };
    return { id, name, type, ...counts, threadsTotal: threads(mails), threadsUnread: threads(unread) };
  });
}

let latest: { anchor: number; mailbox: Mailbox } | undefined;

/** Returns the mailbox of a day. The latest one is kept, because it takes 30 ms to write. */
function sampleMails(anchor: number): Mailbox {
  if (latest?.anchor !== anchor) {
    const mailbox = new Mailbox(SAMPLE_GOOGLE_ACCOUNTS[0]?.email ?? '', sampleMailbox(0, anchor), 1000);
    latest = { anchor, mailbox };
  }
  return latest.mailbox;
}

/**
 * Returns a file of a mail of the sample.
 * @param anchor start of the day of the sample, ms since 1970
 * @returns undefined for an unknown mail or part
 */
export function demoFile(anchor: number, messageId: string, partId: string): Buffer | undefined {
  const mail = sampleMails(anchor).mail(messageId);
  const parts = mail ? [...walkParts(readMessage(mail.read()))] : [];
  return parts.find((part) => part.partId === partId)?.content;
}

/** Returns the newest records of the bundled sample; they depend only on the day. @param anchor start of the day, ms since 1970 */
export function demoSample(
  anchor: number,
  sizes: { labels: number; messages: number; pulls: number; runs: number },
): DemoSample {
  const mailbox = sampleMails(anchor);
  const options = { format: 'full', metadataHeaders: [] } as const;
  const repository = sampleRepository(harbor, anchor);
  const newest = [...repository.rows()]
    .sort((one, other) => other.createdAt - one.createdAt)
    .slice(0, sizes.pulls);
  const { runs } = repository.activity;
  const newestRuns = runs
    .rows()
    .toSorted((one, other) => other.createdAt - one.createdAt)
    .slice(0, sizes.runs);
  return {
    mailAccount: mailbox.email,
    codeAccount: 'ada-nowak',
    labels: labelResources(mailbox, sizes.labels),
    messages: mailbox.mails.slice(0, sizes.messages).map((mail) => messageResource(mail, options)),
    pulls: newest.map((row) => repository.shape(row, 'list', LINKS)),
    runs: newestRuns.map((run) => runs.shape(run, repository.scene(LINKS))),
    repository: { owner: repository.owner, repo: repository.name },
  };
}
