import { describe, expect, it } from 'vitest';
import { randomNumbers } from '../../test-support/hostile-html.ts';
import type { JsonObject } from '../sdk/json.ts';
import { datedMail, soundDate } from './arrival.ts';

const IMPORTED = '2026-11-26T09:00:00.000Z';
const ARRIVED = '2002-09-14T10:00:05.000Z';
const SENT = 'Sat, 14 Sep 2002 10:00:00 +0000';
const hop = (date: string) => `from a.example by b.example with SMTP id 1; ${date}`;
const HOP = hop('Sat, 14 Sep 2002 12:00:03 +0200 (CEST)');

/** What is tried: Date header, Received headers from the newest, arrival, expected date. */
const CASES: [what: string, date: string, received: string[], arrival: string, expected: string][] = [
  ['an ordinary mail', SENT, [HOP], ARRIVED, '2002-09-14T10:00:00.000Z'],
  ['an imported mail', SENT, [HOP], IMPORTED, '2002-09-14T10:00:00.000Z'],
  ['an imported mail without Received', SENT, [], IMPORTED, '2002-09-14T10:00:00.000Z'],
  [
    'an imported mail with a Received of the import',
    SENT,
    [hop('Thu, 26 Nov 2026 09:00:00 +0000'), HOP],
    IMPORTED,
    '2002-09-14T10:00:00.000Z',
  ],
  ['a mail that arrived as it was sent', SENT, [HOP], '2002-09-14T10:00:00.000Z', '2002-09-14T10:00:00.000Z'],
  [
    'a mail that waited for 30 days',
    'Thu, 15 Aug 2002 12:00:00 +0000',
    [HOP],
    ARRIVED,
    '2002-08-15T12:00:00.000Z',
  ],
  [
    'a clock that is two months late',
    'Sun, 14 Jul 2002 10:00:00 +0000',
    [HOP],
    ARRIVED,
    '2002-09-14T10:00:03.000Z',
  ],
  ['the year of before', 'Fri, 14 Sep 2001 10:00:00 +0000', [HOP], IMPORTED, '2002-09-14T10:00:03.000Z'],
  [
    'a clock that is a day ahead',
    'Sun, 15 Sep 2002 10:00:00 +0000',
    [HOP],
    ARRIVED,
    '2002-09-15T10:00:00.000Z',
  ],
  [
    'a clock that is three days ahead',
    'Tue, 17 Sep 2002 10:00:04 +0000',
    [HOP],
    ARRIVED,
    '2002-09-14T10:00:03.000Z',
  ],
  ['a date of the future', 'Mon, 1 Jan 2035 00:00:00 +0000', [HOP], IMPORTED, '2002-09-14T10:00:03.000Z'],
  ['a date of the future without Received', 'Mon, 1 Jan 2035 00:00:00 +0000', [], IMPORTED, IMPORTED],
  [
    'a date that is the future of the arrival',
    SENT,
    [],
    '2002-09-01T00:00:00.000Z',
    '2002-09-01T00:00:00.000Z',
  ],
  ['the start of 1970', 'Thu, 1 Jan 1970 00:00:00 +0000', [], IMPORTED, IMPORTED],
  [
    'the start of 1970 with Received',
    'Thu, 1 Jan 1970 00:00:00 +0000',
    [HOP],
    IMPORTED,
    '2002-09-14T10:00:03.000Z',
  ],
  ['a clock of 1980', 'Tue, 1 Jan 1980 00:00:09 +0000', [], ARRIVED, ARRIVED],
  ['the year 102', 'Sat, 14 Sep 0102 10:00:00 +0000', [HOP], IMPORTED, '2002-09-14T10:00:03.000Z'],
  ['a year of two digits', 'Sat, 14 Sep 02 10:00:00 GMT', [HOP], IMPORTED, '2002-09-14T10:00:00.000Z'],
  ['no date', '', [HOP], IMPORTED, '2002-09-14T10:00:03.000Z'],
  ['no date and no Received', '', [], IMPORTED, IMPORTED],
  ['a text that is no date', 'see attachment 5', [HOP], IMPORTED, '2002-09-14T10:00:03.000Z'],
  [
    'Received headers without dates',
    SENT,
    ['from a by b', 'by c; soon'],
    IMPORTED,
    '2002-09-14T10:00:00.000Z',
  ],
  [
    'a relay with a clock of 1970',
    SENT,
    [HOP, hop('Thu, 1 Jan 1970 00:00:10 +0000')],
    ARRIVED,
    '2002-09-14T10:00:00.000Z',
  ],
  [
    'a relay with a clock of the future',
    SENT,
    [hop('Mon, 1 Jan 2035 00:00:00 +0000')],
    ARRIVED,
    '2002-09-14T10:00:00.000Z',
  ],
  [
    'a relay whose clock was reset, and a date near the arrival',
    'Thu, 26 Nov 2026 08:59:00 +0000',
    [hop('Mon, 1 Jan 2001 00:00:00 +0000')],
    IMPORTED,
    '2026-11-26T08:59:00.000Z',
  ],
  ['a server without arrivals', SENT, [HOP], '1970-01-01T00:00:00.000Z', '2002-09-14T10:00:00.000Z'],
  [
    'a server without arrivals, and no date',
    '',
    [HOP],
    '1970-01-01T00:00:00.000Z',
    '2002-09-14T10:00:03.000Z',
  ],
  ['nothing at all', '', [], '1970-01-01T00:00:00.000Z', '1970-01-01T00:00:00.000Z'],
  [
    'an arrival that was taken from a wrong date',
    'Mon, 1 Jan 2035 00:00:00 +0000',
    [HOP],
    '2035-01-01T00:00:00.000Z',
    '2002-09-14T10:00:03.000Z',
  ],
  ['a date of another zone', 'Sat, 14 Sep 2002 23:30:00 -1200', [HOP], ARRIVED, '2002-09-15T11:30:00.000Z'],
];

describe('soundDate', () => {
  it.each(CASES)('dates %s', (_, date, received, arrival, expected) => {
    const found = soundDate({ date, received, arrival: Date.parse(arrival) });
    expect(new Date(found).toISOString()).toBe(expected);
  });

  // Property: the date is one of the times that the mail names, and no time that is known contradicts it.
  it('returns a time of the mail that no other one contradicts', () => {
    const random = randomNumbers(2);
    const DAY = 86_400_000;
    const YEARS = [1970, 1981, 2001, 2002, 2002, 2002, 2026, 2026, 2035];
    const anyTime = () =>
      Date.UTC(YEARS[random(YEARS.length)] ?? 0, random(2), random(28), random(24), 0, random(60));
    const isNear = (time: number, other: number) => time >= other - 31 * DAY && time <= other + 2 * DAY;
    for (let round = 0; round < 5000; round++) {
      const [written, arrival] = [anyTime(), anyTime()];
      const hops = Array.from({ length: random(4) }, anyTime);
      const received = hops.map((time) => hop(new Date(time).toUTCString()));
      const found = soundDate({ date: new Date(written).toUTCString(), received, arrival });
      const isSane = (time: number) =>
        time >= Date.UTC(1982, 0) && (arrival < Date.UTC(1982, 0) || time <= arrival + 2 * DAY);
      const saneHops = hops.filter(isSane);
      const isSound =
        isSane(written) &&
        (saneHops.length === 0 || [...saneHops, arrival].some((other) => isNear(written, other)));
      expect(found, `round ${round}`).toBe(isSound ? written : (saneHops[0] ?? arrival));
    }
  });
});

describe('datedMail', () => {
  const mail: JsonObject = {
    id: '1',
    date: IMPORTED,
    subject: 'Old',
    dateHeader: SENT,
    headers: [{ name: 'RECEIVED', value: HOP }],
  };
  const columnsOf = ({ date = null }: JsonObject) => ({ date: date as string });

  it('moves the arrival into a field of its own, next to the date', () => {
    const { occurredAt, data, columns } = datedMail(mail, columnsOf);
    expect(Object.entries(data).slice(0, 3)).toEqual([
      ['id', '1'],
      ['date', '2002-09-14T10:00:00.000Z'],
      ['receivedAt', IMPORTED],
    ]);
    expect({ occurredAt, columns }).toEqual({
      occurredAt: new Date('2002-09-14T10:00:00.000Z'),
      columns: { date: '2002-09-14T10:00:00.000Z' },
    });
  });

  it('leaves a document with an arrival as it is', () => {
    const { data } = datedMail(mail, columnsOf);
    expect(JSON.stringify(datedMail(data, columnsOf).data)).toBe(JSON.stringify(data));
  });

  it.each([
    [{}],
    [{ date: 5, headers: 'none', dateHeader: null }],
    [{ date: 'soon', receivedAt: [], headers: [null, { name: 1 }] }],
  ])('accepts the document %j', (document) => {
    expect(datedMail(document as JsonObject, () => ({})).occurredAt).toEqual(new Date(0));
  });
});
