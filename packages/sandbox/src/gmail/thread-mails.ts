import type { MailHead } from './mail-head.ts';

/** Maximum age difference at which a reply without references joins a thread by its subject, ms. */
const MAX_SUBJECT_AGE_MS = 30 * 86_400_000;

interface Threaded {
  id: string;
  head: MailHead;
}

/**
 * Returns the thread id of every message by its id: the id of the thread's oldest message. From oldest to newest, a message
 * joins the thread of an id in its References or In-Reply-To. Otherwise, a reply joins the thread of the last message with
 * its subject, if that is at most 30 days older.
 */
export function threadMails(mails: readonly Threaded[]): Map<string, string> {
  const threadOf = new Map<string, string>();
  const byMessageId = new Map<string, string>();
  const bySubject = new Map<string, { thread: string; date: number }>();
  for (const mail of [...mails].sort((one, other) => one.head.date - other.head.date)) {
    const { head } = mail;
    const thread = threadByReferences(byMessageId, head) ?? threadBySubject(bySubject, head) ?? mail.id;
    threadOf.set(mail.id, thread);
    for (const id of [head.messageId, ...head.references]) {
      if (id !== undefined && !byMessageId.has(id)) byMessageId.set(id, thread);
    }
    if (head.subject !== '') bySubject.set(head.subject, { thread, date: head.date });
  }
  return threadOf;
}

/** Returns the thread of the last message id in the references that is known. */
function threadByReferences(byMessageId: Map<string, string>, head: MailHead): string | undefined {
  const known = head.references.findLast((id) => byMessageId.has(id));
  return known === undefined ? threadByOwnId(byMessageId, head) : byMessageId.get(known);
}

/** Returns the thread of a reply without references to which an older message refers, because of a wrong clock. */
function threadByOwnId(byMessageId: Map<string, string>, head: MailHead): string | undefined {
  return head.messageId !== undefined && head.references.length === 0 && head.isReply
    ? byMessageId.get(head.messageId)
    : undefined;
}

function threadBySubject(
  bySubject: Map<string, { thread: string; date: number }>,
  head: MailHead,
): string | undefined {
  const found = head.isReply && head.subject !== '' ? bySubject.get(head.subject) : undefined;
  return found && head.date - found.date <= MAX_SUBJECT_AGE_MS ? found.thread : undefined;
}
