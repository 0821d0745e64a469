import { describe, expect, it } from 'vitest';
import { entityOf, reasonOf } from '../../../test-support/airbyte/manifests.ts';
import { compileBounded } from '../expression.ts';

const syncOf = (datetime_format: string) => ({
  type: 'DatetimeBasedCursor',
  cursor_field: 'updated_at',
  datetime_format,
  start_datetime: "{{ config['start_date'] }}",
  start_time_option: { type: 'RequestOption', inject_into: 'request_parameter', field_name: 'since' },
});

describe('the start of a stream', () => {
  it.each([
    ['%Y%m%d', '20240131'],
    ['%Y/%m/%d', '2024/01/31'],
    ['%m/%d/%Y', '01/31/2024'],
    ['%d/%m/%Y', '31/01/2024'],
    ['%d.%m.%Y', '31.01.2024'],
    ['%d/%m/%Y %H:%M', '31/01/2024 23:05'],
    ['%m-%d-%Y %H:%M:%S', '01-31-2024 23:05:09'],
    ['%Y%m%dT%H%M%S', '20240131T230509'],
  ])('is a date of the format %s', (format, start) => {
    const { query } = entityOf({ stream: { incremental_sync: syncOf(format) } }).request;
    const since = compileBounded(query.since ?? '');
    const now = '2024-02-02T00:00:00.000Z';
    expect(since.evaluate({ now, config: { startDate: start } })).toBe(start);
    expect(() => since.evaluate({ now, config: { startDate: `${start}x` } })).toThrow();
  });

  it.each(['%d/%b/%Y', '%m/%d', '%d/%m/%Y %I:%M %p', '%d/%m/%Y %M', '%d/%m/%d %Y'])(
    'is refused in the format %s',
    (format) => {
      expect(reasonOf({ stream: { incremental_sync: syncOf(format) } })).toBe(`the date format ${format}`);
    },
  );
});
