import { headerValue, readHeaders } from '../mime/header-block.ts';
import { readMailDate } from '../mime/mail-date.ts';

/** What is needed of a message to put it in its place: its date and its relations. */
export interface MailHead {
  /** Milliseconds since 1970; never negative. */
  date: number;
  messageId: string | undefined;
  /** Ids that the message refers to, oldest first. */
  references: string[];
  /** Without "Re:" and the like, in lower case. */
  subject: string;
  isReply: boolean;
}

/** As much of a message as is read for its head. */
export const HEAD_BYTES = 64 * 1024;

const REPLY = /^\s*((re|aw|sv|antw|odp|res|fwd?|wg|tr)(\[\d+\])?\s*:\s*)+/i;

/** Reads the head of a message. Without a usable Date the newest Received header counts, else `fallbackDate`. */
export function readMailHead(raw: Buffer, fallbackDate: number): MailHead {
  const { headers } = readHeaders(raw.subarray(0, HEAD_BYTES));
  const received = headerValue(headers, 'received')?.split(';').at(-1);
  const date = readMailDate(headerValue(headers, 'date')) ?? readMailDate(received) ?? fallbackDate;
  const subject = headerValue(headers, 'subject') ?? '';
  const replyTo = idsIn(headerValue(headers, 'in-reply-to'));
  return {
    date: Math.max(0, date),
    messageId: idsIn(headerValue(headers, 'message-id'))[0],
    references: [...idsIn(headerValue(headers, 'references')), ...replyTo],
    subject: subject.replace(REPLY, '').replace(/\s+/g, ' ').trim().toLowerCase(),
    isReply: REPLY.test(subject) || replyTo.length > 0,
  };
}

function idsIn(value: string | undefined): string[] {
  return value?.match(/<[^<>\s]+>/g) ?? [];
}
