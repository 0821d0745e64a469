import { type Header, headerValue, readHeaders } from '../mime/header-block.ts';
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

/** Mail is no older than this; an earlier Date comes from a wrong clock or a year such as 0102. */
const OLDEST = Date.UTC(1980, 0);
/** How far ahead a sender's clock may be. */
const AHEAD_MS = 2 * 86_400_000;
const MOST_RECEIVED = 100;

/** Reads the head of a message. `fallbackDate` counts where neither Date nor Received states a time. */
export function readMailHead(raw: Buffer, fallbackDate: number): MailHead {
  const { headers } = readHeaders(raw.subarray(0, HEAD_BYTES));
  const date = dateOf(headers) ?? fallbackDate;
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

/** The time of the Date header where it is plausible, else of the newest sound Received, else what Date says. */
function dateOf(headers: readonly Header[]): number | undefined {
  const written = readMailDate(headerValue(headers, 'date'));
  if (isPlausible(written)) return written;
  const received = headers.filter(({ name }) => name.toLowerCase() === 'received').slice(0, MOST_RECEIVED);
  for (const { value } of received) {
    const time = readMailDate(value.split(';').at(-1));
    if (isPlausible(time)) return time;
  }
  return written !== undefined && written >= 0 ? written : undefined;
}

function isPlausible(time: number | undefined): time is number {
  return time !== undefined && time >= OLDEST && time <= Date.now() + AHEAD_MS;
}

function idsIn(value: string | undefined): string[] {
  return value?.match(/<[^<>\s]+>/g) ?? [];
}
