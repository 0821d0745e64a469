import { describe, expect, it } from 'vitest';
import { causeOf, sentenceOf } from './failure.ts';

const errorWith = (message: string) => ({ status: 503, data: { error: { code: 'unavailable', message } } });

describe('causeOf', () => {
  it.each([
    ['Gmail is failing (status 503). Try again later.', 'Gmail is failing (status 503).'],
    ['The disk is full. Free some space, then try again.', 'The disk is full. Free some space.'],
    [
      'The database cannot be reached at the moment. Try again shortly.',
      'The database cannot be reached at the moment.',
    ],
    ['Connect it again.', undefined],
    ['Try again.', undefined],
  ])('removes the advice to try again from %j', (sentence, cause = sentence) => {
    expect(causeOf(errorWith(sentence))).toBe(cause);
  });

  it.each(['FETCH_ERROR', 'TIMEOUT_ERROR', 'PARSING_ERROR'])('says what happened on %s', (status) => {
    expect(sentenceOf({ status })).toMatch(/try again\.$/i);
    expect(causeOf({ status })).toMatch(/\w\.$/);
    expect(causeOf({ status })).not.toMatch(/again/);
  });
});
