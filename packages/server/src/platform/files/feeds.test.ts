import ICAL from 'ical.js';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import type { FeedFormat } from './file-task.ts';
import { writeFeed } from './write-file.ts';

const INFO = {
  id: '0b5f0d0e-7a3c-4b57-9d0a-6f6d5f0c1a2b',
  title: 'Due\r\nX-EVIL:1 <b>]]>&amp;',
  updatedAt: '2026-01-01T00:00:00.000Z',
};
const EVIL = 'a\u0000\u0008]]></title><script>&amp;"\r\nEND:VEVENT\r\nX-EVIL:1\u2028;,\\n\ud800ü';
const ROWS = [
  { id: 1, title: 'Old', date: '2026-03-01T09:30:00Z', url: 'https://a.example/?a=1&b="<>' },
  { id: 2, subject: EVIL, created_at: '2026-03-02', [EVIL]: EVIL, url: 'javascript:alert(1)' },
  { name: 'Long', start: '2026-03-03T10:00:00+01:00', end: '2026-03-03T12:00:00+01:00', n: 7 },
  { id: 2, title: 'Same id', date: 'soon' },
  'a text',
  [{ title: 'nested' }],
  null,
];

const feedOf = async (format: FeedFormat, rows: readonly unknown[] = ROWS) =>
  (await writeFeed(format, INFO, JSON.stringify(rows), undefined)).toString();

interface Entry {
  [name: string]: string;
}

/** Reads an Atom feed by a strict parser of XML. */
function readAtom(text: string): { entries: Entry[]; names: Set<string> } {
  const entries: Entry[] = [];
  const names = new Set<string>();
  const parser = new SaxesParser();
  let open = '';
  parser.on('opentag', ({ name, attributes }) => {
    names.add(name);
    open = name;
    if (name === 'entry') entries.push({});
    const entry = entries.at(-1);
    if (name === 'link' && entry) entry.link = String(attributes.href);
  });
  parser.on('text', (value) => {
    const entry = entries.at(-1);
    if (entry && value.trim() !== '') entry[open] = (entry[open] ?? '') + value;
  });
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(text).close();
  return { entries, names };
}

function eventsOf(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text));
  return calendar.getAllSubcomponents('vevent').map((event) => new ICAL.Event(event));
}

describe('an Atom feed', () => {
  it('has an entry for each row, the newest first', async () => {
    const { entries } = readAtom(await feedOf('atom'));
    expect(entries.map(({ title }) => title?.slice(0, 8))).toEqual([
      'Long',
      expect.stringMatching(/^a/),
      'Old',
      ...['Same id', 'a text', '[{"title', 'null'],
    ]);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(7);
    expect(entries[0]).toMatchObject({
      updated: '2026-03-03T09:00:00.000Z',
      content: expect.stringContaining('n: 7'),
    });
    expect(entries[3]?.updated).toBe(INFO.updatedAt);
    expect(entries.map(({ link }) => link)).toEqual([
      undefined,
      undefined,
      'https://a.example/?a=1&b=%22%3C%3E',
      ...[undefined, undefined, undefined, undefined],
    ]);
    expect(await feedOf('atom')).toBe(await feedOf('atom'));
  });

  it('keeps hostile values inside their elements', async () => {
    const { entries, names } = readAtom(await feedOf('atom'));
    expect(names).toEqual(
      new Set(['feed', 'id', 'title', 'updated', 'author', 'name', 'entry', 'link', 'content']),
    );
    expect(entries[1]?.title).toBe('a]]></title><script>&amp;" END:VEVENT X-EVIL:1 ;,\\n\ufffdü');
  });

  it('has the newest hundred entries with short texts', async () => {
    const rows = Array.from({ length: 1000 }, (_, n) => ({
      id: n,
      date: new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString(),
      title: 'x'.repeat(10_000),
      text: 'y'.repeat(10_000),
    }));
    const text = await feedOf('atom', rows);
    const { entries } = readAtom(text);
    expect(entries).toHaveLength(100);
    expect(entries[0]?.updated).toBe('2026-01-01T00:16:39.000Z');
    expect(text.length).toBeLessThan(400_000);
  });
});

describe('a calendar', () => {
  it('has no event for a day that does not exist', async () => {
    const dates = ['2026-02-30', '2026-02-30T10:00:00Z', '2026-13-01', '2026-03-01'];
    const text = await feedOf(
      'ical',
      dates.map((date) => ({ title: date, date })),
    );
    expect(text.match(/^SUMMARY:.*$/gm)?.map((line) => line.trim())).toEqual(['SUMMARY:2026-03-01']);
  });

  it('has an event for each row with a date', async () => {
    const events = eventsOf(await feedOf('ical'));
    expect(events.map(({ startDate, endDate }) => [startDate.toString(), endDate.toString()])).toEqual([
      ['2026-03-01T09:30:00Z', '2026-03-01T09:30:00Z'],
      ['2026-03-02', '2026-03-03'],
      ['2026-03-03T09:00:00Z', '2026-03-03T11:00:00Z'],
    ]);
    expect(events.map(({ summary }) => summary?.slice(0, 4))).toEqual(['Old', 'a]]>', 'Long']);
    expect(new Set(events.map(({ uid }) => uid)).size).toBe(3);
    expect(events[0]?.component.getFirstPropertyValue('url')).toContain('https://a.example/');
  });

  it('keeps hostile values inside their properties', async () => {
    const text = await feedOf('ical');
    const [, evil] = eventsOf(text);
    expect(evil?.summary).toBe('a]]></title><script>&amp;" END:VEVENT X-EVIL:1 ;,\\n\ufffdü');
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(text.split('\r\n').filter((line) => /^(X-EVIL|END:VEVENT)/.test(line))).toEqual(
      Array.from({ length: 3 }, () => 'END:VEVENT'),
    );
    for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  });
});
