import { type Header, headerValue, readHeaders } from '../mime/header-block.ts';
import { readMailDate } from '../mime/mail-date.ts';

/** The header data that determines a message's date and thread. */
export interface MailHead {
  /** Milliseconds since 1970; never negative. */
  date: number;
  messageId: string | undefined;
  /** Ids of the messages that it refers to, oldest first. */
  references: string[];
  /** Without prefixes such as "Re:", in lower case. */
  subject: string;
  isReply: boolean;
}

/** Maximum size of the headers that are read, bytes. */
export const MAX_HEAD_BYTES = 64 * 1024;

const REPLY = /^\s*((re|aw|sv|antw|odp|res|fwd?|wg|tr)(\[\d+\])?\s*:\s*)+/i;

/** Earliest plausible date; an earlier one comes from a wrong clock or a year such as 0102. */
const MIN_DATE = Date.UTC(1980, 0);
/** How far in the future a plausible date may be, ms. */
const MAX_AHEAD_MS = 2 * 86_400_000;
const MAX_RECEIVED_HEADERS = 100;

/** Reads the headers of a message. `fallbackDate` is used if neither Date nor Received contains a time. */
export function readMailHead(raw: Buffer, fallbackDate: number): MailHead {
  const { headers } = readHeaders(raw.subarray(0, MAX_HEAD_BYTES));
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

/** Returns the time of the Date header if plausible, else of the newest valid Received, else of Date anyway. */
function dateOf(headers: readonly Header[]): number | undefined {
  const written = readMailDate(headerValue(headers, 'date'));
  if (isPlausible(written)) return written;
  const received = headers
    .filter(({ name }) => name.toLowerCase() === 'received')
    .slice(0, MAX_RECEIVED_HEADERS);
  for (const { value } of received) {
    const time = readMailDate(value.split(';').at(-1));
    if (isPlausible(time)) return time;
  }
  return written !== undefined && written >= 0 ? written : undefined;
}

function isPlausible(time: number | undefined): time is number {
  return time !== undefined && time >= MIN_DATE && time <= Date.now() + MAX_AHEAD_MS;
}

function idsIn(value: string | undefined): string[] {
  return value?.match(/<[^<>\s]+>/g) ?? [];
}
