import { describe, expect, it } from 'vitest';
import { readParameter } from './parameter-value.ts';

describe('readParameter', () => {
  it.each([
    ['text', 'ada', 'ada'],
    ['number', '12.5', 12.5],
    ['boolean', 'false', false],
    ['date', '2024-05-31', '2024-05-31'],
    ['date', '2024-05-31T10:00:00Z', '2024-05-31T10:00:00Z'],
    ['number', ' ', null],
  ] as const)('reads a %s from %s', (type, text, value) =>
    expect(readParameter({ type }, text)).toEqual({ value }),
  );

  it.each([
    ['number', 'many', 'Must be a number'],
    ['boolean', 'yes', 'Must be true or false'],
    ['date', '2024-02-31', 'Must be a date such as 2024-05-31'],
  ] as const)('refuses to read a %s from %s', (type, text, problem) =>
    expect(readParameter({ type }, text)).toEqual({ problem }),
  );
});
