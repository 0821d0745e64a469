import { describe, expect, it } from 'vitest';
import { imported, stream } from '../../../test-support/airbyte/manifests.ts';
import { compileBounded } from '../expression.ts';

const START = { type: 'MinMaxDatetime', datetime: '2026-01-01', datetime_format: '%Y-%m-%d' };

/** Returns the entity of a stream that grows by `updated_at`. */
function entityWith(members: object) {
  const incremental_sync = {
    type: 'DatetimeBasedCursor',
    ...{ cursor_field: 'updated_at', datetime_format: '%Y-%m-%d', start_datetime: START },
    ...members,
  };
  const { document, streams } = imported([stream('books', { stream: { incremental_sync } })]);
  expect(streams[0]?.reason).toBeUndefined();
  return document?.entities[0];
}

describe('the field that grows', () => {
  it.each<[string[], unknown, unknown]>([
    [['%d/%m/%Y %H:%M'], '12/03/2026 06:53', '2026-03-12T06:53:00Z'],
    [['%Y-%m-%d', '%m/%d/%Y'], '03/12/2026', '2026-03-12'],
    [['%Y%m%d%H'], '2026031206', '2026-03-12T06:00:00Z'],
    [['%Y-%m-%dT%H:%M:%SZ'], '2026-03-12T06:53:00Z', '2026-03-12T06:53:00Z'],
    [['%Y-%m-%d', '%d/%m/%Y', '%a, %d %b %Y'], 'Thu, 12 Mar 2026', 'Thu, 12 Mar 2026'],
    [['%s'], 1_773_298_380, 1_773_298_380],
    [['%d/%m/%Y'], null, null],
  ])('is read by its format %j: %j', (formats, updated_at, expected) => {
    const entity = entityWith({ datetime_format: formats[0], cursor_datetime_formats: formats.slice(1) });
    const { column = '' } = entity?.incremental ?? {};
    const value = entity?.columns[column]?.value ?? '';
    expect(compileBounded(value).evaluate({ record: { updated_at } }) ?? null).toBe(expected);
    expect(entity?.date).toBe(value);
  });
});

describe('a start', () => {
  it.each<[unknown, true | undefined]>([
    [START, undefined],
    ["{{ config['start_date'] }}", undefined],
    ["{{ config['start_date'] or day_delta(-30, '%Y-%m-%d') }}", true],
    [{ ...START, datetime: "{{ (now_utc() - duration('P30D')).strftime('%Y-%m-%d') }}" }, true],
    [{ ...START, min_datetime: "{{ today_utc().strftime('%Y-%m-%d') }}" }, true],
    [{ ...START, max_datetime: "{{ today_utc().strftime('%Y-%m-%d') }}" }, undefined],
  ])('that moves keeps what is older: %j', (start_datetime, kept) => {
    expect(entityWith({ start_datetime })?.keepUnlisted).toBe(kept);
  });
});
