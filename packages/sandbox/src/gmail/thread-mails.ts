import type { MailHead } from './mail-head.ts';

/** Maximum age difference at which a reply without references joins a thread by its subject, ms. */
const MAX_SUBJECT_AGE_MS = 30 * 86_400_000;

interface Threaded {
  id: string;
  head: MailHead;
}

/**
 * Returns the thread id of every message: the id of the thread's oldest message. Messages share a thread if one refers to
 * the other (References, In-Reply-To), or if a reply has the subject of a message of the last 30 days.
 */
export function threadMails(mails: readonly Threaded[]): Map<string, string> {
  const threadOf = new Map<string, string>();
  const byMessageId = new Map<string, string>();
  const bySubject = new Map<string, { thread: string; date: number }>();
  for (const mail of [...mails].sort((one, other) => one.head.date - other.head.date)) {
    const { head } = mail;
    const thread = referred(byMessageId, head) ?? sameSubject(bySubject, head) ?? mail.id;
    threadOf.set(mail.id, thread);
    for (const id of [head.messageId, ...head.references]) {
      if (id !== undefined && !byMessageId.has(id)) byMessageId.set(id, thread);
    }
    if (head.subject !== '') bySubject.set(head.subject, { thread, date: head.date });
  }
  return threadOf;
}

function referred(byMessageId: Map<string, string>, head: MailHead): string | undefined {
  const known = head.references.findLast((id) => byMessageId.has(id));
  return known === undefined ? byMessageIdOf(byMessageId, head) : byMessageId.get(known);
}

/** Returns the thread of a message that others referred to before it was processed, because of a wrong clock. */
function byMessageIdOf(byMessageId: Map<string, string>, head: MailHead): string | undefined {
  return head.messageId !== undefined && head.references.length === 0 && head.isReply
    ? byMessageId.get(head.messageId)
    : undefined;
}

function sameSubject(
  bySubject: Map<string, { thread: string; date: number }>,
  head: MailHead,
): string | undefined {
  const found = head.isReply && head.subject !== '' ? bySubject.get(head.subject) : undefined;
  return found && head.date - found.date <= MAX_SUBJECT_AGE_MS ? found.thread : undefined;
}
