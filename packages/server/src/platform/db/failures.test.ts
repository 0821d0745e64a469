import { describe, expect, it } from 'vitest';
import { isConnectionFailure, reasonOf } from './failures.ts';

function failure(code: string): Error {
  return new Error('Failed query: select 1\nparams: ', {
    cause: Object.assign(new Error(`is ${code}`), { code }),
  });
}

describe('isConnectionFailure', () => {
  it.each([
    ['08006', true],
    ['57P01', true],
    ['53300', true],
    ['25006', true],
    ['ECONNREFUSED', true],
    ['23505', false],
    ['53100', false],
  ])('returns for %s: %j', (code, expected) => {
    expect(isConnectionFailure(failure(code))).toBe(expected);
  });
});

describe('reasonOf', () => {
  it('returns the messages of the database without the statement', () => {
    expect(reasonOf(failure('53300'))).toBe('is 53300');
    expect(reasonOf(new AggregateError([new Error('::1 refuses'), new Error('127.0.0.1 refuses')]))).toBe(
      '::1 refuses, 127.0.0.1 refuses',
    );
  });
});
