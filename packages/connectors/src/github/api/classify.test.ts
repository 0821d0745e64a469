import { describe, expect, it } from 'vitest';
import { classifyGithub } from './classify.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const DAY = 86_400_000;

function untilOf(headers: Record<string, string>): number | undefined {
  const answer = { status: 403, headers: new Headers(headers), body: '{"message":"rate limit"}', now: NOW };
  const failed = classifyGithub(answer);
  return failed.kind === 'retry-later' ? (failed.until?.getTime() ?? 0) - NOW : undefined;
}

const EMPTY = { 'x-ratelimit-remaining': '0' };

describe('classifyGithub', () => {
  // @covers limits.clocks-differ-hours (reads the wait of a rate limit with a date of a clock that is hours ahead)
  it.each([
    ['seconds', { 'retry-after': '20' }, 20_000],
    ['zero seconds', { 'retry-after': '0' }, 60_000],
    ['a date', { 'retry-after': 'Sun, 22 Nov 2026 12:01:30 GMT' }, 90_000],
    [
      'a date of a clock that is hours ahead',
      { 'retry-after': 'Sun, 22 Nov 2026 14:01:30 GMT', date: 'Sun, 22 Nov 2026 14:00:00 GMT' },
      90_000,
    ],
    ['more seconds than a Date can hold', { 'retry-after': '9999999999999' }, DAY],
    ['a reset', { ...EMPTY, 'x-ratelimit-reset': String(NOW / 1000 + 600) }, 600_000],
    ['a reset in milliseconds', { ...EMPTY, 'x-ratelimit-reset': String(NOW + 600_000) }, 600_000],
    ['an endless reset', { ...EMPTY, 'x-ratelimit-reset': '9'.repeat(40) }, DAY],
    ['a reset in the past', { ...EMPTY, 'x-ratelimit-reset': '1' }, 1000],
    ['no header', {}, 60_000],
  ])('reads the wait of a rate limit with %s', (_name, headers, wait) => {
    expect(untilOf(headers as Record<string, string>)).toBe(wait);
  });

  // @covers transport.408
  it.each([408, 500, 502, 503, 504])('retries status %i', (status) => {
    const answer = { status, headers: new Headers(), body: '<html>', now: NOW };
    expect(classifyGithub(answer)).toMatchObject({ kind: 'retry' });
  });
});
