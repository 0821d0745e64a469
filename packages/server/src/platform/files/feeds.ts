import ical, { ICalCalendarMethod } from 'ical-generator';
import { type FeedEntry, feedEntry, lineOf } from './feed-entry.ts';
import type { FeedFormat, FeedInfo } from './file-task.ts';

/** Entries of an Atom feed, the newest ones. */
const MAX_ATOM_ENTRIES = 100;
/** Longest title of a feed, UTF-16 units. */
const TITLE_LENGTH = 300;

/** Collects the entries of rows; an id that two rows have gets a number. */
async function entriesOf(batches: AsyncIterable<unknown[]>): Promise<FeedEntry[]> {
  const entries: FeedEntry[] = [];
  const seen = new Map<string, number>();
  for await (const batch of batches)
    for (const row of batch.flat(1)) {
      const entry = feedEntry(row);
      const count = seen.get(entry.id) ?? 0;
      seen.set(entry.id, count + 1);
      entries.push(count === 0 ? entry : { ...entry, id: `${entry.id}-${count}` });
    }
  return entries;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Escapes a text for elements and attributes of XML. */
function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ESCAPES[character] ?? '');
}

function element(name: string, text: string): string {
  return `<${name}>${escapeXml(text)}</${name}>`;
}

/** Returns an Atom feed (RFC 4287) of the newest entries; entries without a date come last, in the order of the rows. */
function atomOf({ id, title, updatedAt }: FeedInfo, entries: readonly FeedEntry[]): string {
  const updatedOf = ({ start }: FeedEntry) => start?.date.toISOString() ?? updatedAt;
  const timeOf = ({ start }: FeedEntry) => start?.date.getTime() ?? Number.NEGATIVE_INFINITY;
  const newest = [...entries].sort((a, b) => (timeOf(a) === timeOf(b) ? 0 : timeOf(b) - timeOf(a)));
  const shown = newest.slice(0, MAX_ATOM_ENTRIES).map((entry) => {
    const link = entry.link === undefined ? '' : `<link href="${escapeXml(entry.link)}"/>`;
    return `<entry>${element('id', `urn:datadeck:${id}:${entry.id}`)}${element('title', entry.title)}${element(
      'updated',
      updatedOf(entry),
    )}${link}<content type="text">${escapeXml(entry.text)}</content></entry>`;
  });
  const [first] = newest;
  const head = [
    element('id', `urn:uuid:${id}`),
    element('title', lineOf(title, TITLE_LENGTH) || 'View'),
    element('updated', first ? updatedOf(first) : updatedAt),
    '<author><name>Datadeck</name></author>',
  ];
  const lines = ['<feed xmlns="http://www.w3.org/2005/Atom">', ...head, ...shown, '</feed>'];
  return `<?xml version="1.0" encoding="utf-8"?>\n${lines.join('\n')}\n`;
}

/** Returns a calendar (RFC 5545) of the entries with a date. An event without an end is a moment, or one day. */
function calendarOf({ id, title, updatedAt }: FeedInfo, entries: readonly FeedEntry[]): string {
  const calendar = ical({
    prodId: { company: 'Datadeck', product: 'Datadeck' },
    name: lineOf(title, TITLE_LENGTH) || 'View',
    method: ICalCalendarMethod.PUBLISH,
  });
  for (const entry of entries) {
    const { start, end } = entry;
    if (!start) continue;
    calendar.createEvent({
      id: `${entry.id}@${id}`,
      stamp: new Date(updatedAt),
      start: start.date,
      allDay: start.isDay,
      summary: entry.title,
      description: entry.text,
      ...(end && { end: end.date }),
      ...(entry.link !== undefined && { url: entry.link }),
    });
  }
  return `${calendar.toString().trimEnd()}\r\n`;
}

/** Yields a feed of rows, which may also be lists of rows. */
export async function* feedFile(
  format: FeedFormat,
  info: FeedInfo,
  batches: AsyncIterable<unknown[]>,
): AsyncGenerator<Uint8Array> {
  const entries = await entriesOf(batches);
  yield Buffer.from(format === 'atom' ? atomOf(info, entries) : calendarOf(info, entries));
}
