import { copiedInstant } from '../sdk/column-values.ts';
import type { JsonObject } from '../sdk/json.ts';
import { readObjects, readText } from '../sdk/record-display.ts';
import type { ColumnValues } from '../sdk/table.ts';
import { readMailDate } from './date.ts';

const DAY_MS = 86_400_000;
/** How long before a known time a sound date may be: mails wait for a connection, a moderator or a resend. */
const MAX_BEFORE_MS = 31 * DAY_MS;
/** How long after it: zones and clocks are wrong by up to two days. */
const MAX_AFTER_MS = 2 * DAY_MS;
/** Earlier dates come from clocks that were reset: mails have this form since 1982. */
const EARLIEST = Date.UTC(1982, 0);
/** Number of Received headers that are read. */
const MAX_HOPS = 100;

/** What a mail says about its time. */
export interface MailTimes {
  /** The Date header; empty if there is none. */
  date: string;
  /** The Received headers, the newest first. */
  received: readonly string[];
  /** When the mailbox received the mail, ms since 1970. */
  arrival: number;
}

/** Returns the time of a Received header, ms; undefined if it has none. */
function hopTime(header: string): number | undefined {
  return readMailDate(header.slice(header.lastIndexOf(';') + 1))?.getTime();
}

function isNear(time: number, known: number): boolean {
  return time >= known - MAX_BEFORE_MS && time <= known + MAX_AFTER_MS;
}

/**
 * Returns the date that people mean, ms since 1970: the Date header where it is sound, else the newest sound Received
 * header, else the arrival. An import arrives years later, so a date that no Received header contradicts may be old.
 */
export function soundDate({ date, received, arrival }: MailTimes): number {
  const written = readMailDate(date)?.getTime();
  // An arrival that equals the Date header was taken from it and says nothing about it.
  const arrived = arrival >= EARLIEST && arrival !== written ? arrival : undefined;
  const latest = (arrived ?? Number.POSITIVE_INFINITY) + MAX_AFTER_MS;
  const isPossible = (time: number | undefined): time is number =>
    time !== undefined && time >= EARLIEST && time <= latest;
  // Ordinary mails: their Received headers need not be read.
  if (isPossible(written) && arrived !== undefined && isNear(written, arrived)) return written;
  const hops = received.slice(0, MAX_HOPS).map(hopTime).filter(isPossible);
  if (isPossible(written) && (hops.length === 0 || hops.some((hop) => isNear(written, hop)))) return written;
  return hops[0] ?? arrival;
}

function receivedHeaders(mail: JsonObject): string[] {
  return readObjects(mail.headers)
    .filter(({ name }) => readText(name).toLowerCase() === 'received')
    .map(({ value }) => readText(value));
}

/**
 * Completes a mail's document, and returns it as the parts of a record. Both mail connectors call it with a new document
 * and with a stored one, so that the two are equal.
 * @param mail a document whose `receivedAt` is its arrival, or `date` if it has no `receivedAt` yet
 * @param columnsOf extracts the columns from the completed document
 */
export function datedMail(
  mail: JsonObject,
  columnsOf: (data: JsonObject) => ColumnValues,
): { occurredAt: Date; data: JsonObject; columns: ColumnValues } {
  const arrival = copiedInstant(mail.receivedAt ?? mail.date, 3) ?? new Date(0);
  const received = receivedHeaders(mail);
  const occurredAt = new Date(
    soundDate({ date: readText(mail.dateHeader), received, arrival: arrival.getTime() }),
  );
  const dates = { date: occurredAt.toISOString(), receivedAt: arrival.toISOString() };
  const entries = Object.entries(mail).filter(([name]) => name !== 'receivedAt');
  // In the place of `date`, because the order of the fields is part of the document's hash.
  const dated = entries.flatMap((entry) => (entry[0] === 'date' ? Object.entries(dates) : [entry]));
  const data = Object.fromEntries(dated);
  return { occurredAt, data, columns: columnsOf(data) };
}
