import { afterEach, describe, expect, it } from 'vitest';
import { readMailDate } from './date.ts';

const HERE = process.env.TZ;

describe('readMailDate', () => {
  afterEach(() => {
    if (HERE === undefined) delete process.env.TZ;
    else process.env.TZ = HERE;
  });

  it.each([
    ['Mon, 02 Mar 2026 09:00:00 +0000', '2026-03-02T09:00:00.000Z'],
    ['Mon, 02 Mar 2026 09:00:00', '2026-03-02T09:00:00.000Z'],
    ['2 Mar 2026 09:00', '2026-03-02T09:00:00.000Z'],
    ['Mon, 2 Mar 2026 09:00:00 +0530 (IST)', '2026-03-02T03:30:00.000Z'],
    ['Mon, 2 Mar 2026 09:00:00 +05:30', '2026-03-02T03:30:00.000Z'],
    ['Mon (a (nested) day), 2 Mar (x) 2026 09:00:00 -0500', '2026-03-02T14:00:00.000Z'],
    ['Mon, 2 Mar 2026 09:00:00 EST', '2026-03-02T14:00:00.000Z'],
    ['Mon, 2 Mar 2026 09:00:00 GMT', '2026-03-02T09:00:00.000Z'],
    ['Mon, 2 Mar 2026 09:00:00 GMT+0200', '2026-03-02T07:00:00.000Z'],
    ['Mon, 2 Mar 2026 09:00:00 K', '2026-03-02T09:00:00.000Z'],
    ['Mon, 2 Mar 2026 09:00:00 CEST', '2026-03-02T09:00:00.000Z'],
    ['Mon,2 Mar 26 09:00:00 +0000', '2026-03-02T09:00:00.000Z'],
    ['Thu, 2 Mar 99 09:00:00 +0000', '1999-03-02T09:00:00.000Z'],
    ['Thu, 2 Mar 102 09:00:00 +0000', '2002-03-02T09:00:00.000Z'],
    ['Monday, 2-Mar-26 09:00:00 GMT', '2026-03-02T09:00:00.000Z'],
    ['Mon Mar  2 09:00:00 2026', '2026-03-02T09:00:00.000Z'],
    ['Mon Mar 2 09:00:00 PST 2026', '2026-03-02T17:00:00.000Z'],
    ['Mon Mar 02 2026 09:00:00 GMT+0100 (CET)', '2026-03-02T08:00:00.000Z'],
    ['March 2, 2026 9:00 PM', '2026-03-02T21:00:00.000Z'],
    ['2026-03-02T09:00:00Z', '2026-03-02T09:00:00.000Z'],
    ['2026-03-02 09:00:00.123 +0100', '2026-03-02T08:00:00.000Z'],
    ['2026-03-02', '2026-03-02T00:00:00.000Z'],
    ['Sun,\r\n\t1 Mar 2026 23:59:60 +0000', '2026-03-02T00:00:00.000Z'],
    ['Mon, 2 Mar 2026 09.00.00 +0000', '2026-03-02T09:00:00.000Z'],
    ['see attachment 5', undefined],
    ['see attachment 5 of 2 Mar 2026 09:00:00 +0000', undefined],
    ['5', undefined],
    ['2026', undefined],
    ['March 5', undefined],
    ['yesterday', undefined],
    ['Mon, 30 Feb 2026 09:00:00 +0000', undefined],
    ['Mon, 2 Mar 2026 29:00:00 +0000', undefined],
    ['Mon, 2 Foo 2026 09:00:00 +0000', undefined],
    ['(Mon, 2 Mar 2026', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('reads %j as %s in every zone', (header, expected) => {
    for (const zone of ['UTC', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland']) {
      process.env.TZ = zone;
      expect(readMailDate(header)?.toISOString()).toBe(expected);
    }
  });

  it.each(['(', ' ', '1', 'Mon ', '2 Mar ', '1 Mar 2026 ', ':'])(
    'reads a header that repeats %j in bounded time',
    (piece) => {
      const start = performance.now();
      readMailDate(piece.repeat(1_000_000));
      expect(performance.now() - start).toBeLessThan(1000);
    },
  );
});
