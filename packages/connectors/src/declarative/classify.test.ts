import { connectorDocumentSchema, type FailureRule } from '@datadeck/contract/connector-document';
import { describe, expect, it } from 'vitest';
import { classifierOf, pausedUntilOf } from './classify.ts';

const NOW = Date.UTC(2026, 0, 1);
const { failures, quota } = connectorDocumentSchema.shape;

function documentWith(rules: readonly FailureRule[]) {
  const limits = quota.parse({ perMinute: 60, remainingHeader: 'x-left', resetHeader: 'x-reset' });
  return { title: 'Tickets', failures: failures.parse(rules), quota: limits };
}

function classify(
  answer: { status: number; body?: string; headers?: Record<string, string> },
  rules: readonly FailureRule[] = [],
) {
  const { status, body = '', headers = {} } = answer;
  return classifierOf(documentWith(rules))({ status, body, headers: new Headers(headers), now: NOW });
}

/** Returns the kind, and for a failure which one. */
function meaning(failed: ReturnType<typeof classify>): string {
  return failed.kind === 'fail' ? failed.failure : failed.kind;
}

describe('the classifier of a document', () => {
  it('decides by the status without rules', () => {
    const meanings: Record<string, readonly number[]> = {
      'expired-token': [401],
      forbidden: [403],
      'not-found': [404, 410],
      'retry-later': [429],
      retry: [408, 500, 502, 503, 504, 599],
      invalid: [400, 422],
      malformed: [200, 300, 302, 304, 402, 405, 406, 409, 415, 418, 451],
    };
    for (const [expected, statuses] of Object.entries(meanings))
      for (const status of statuses) expect(meaning(classify({ status })), `${status}`).toBe(expected);
  });

  it('decides by the first rule that matches, also for status 200', () => {
    const rules: FailureRule[] = [
      { status: 200, contains: 'RATELIMITED', means: 'rate-limited' },
      { contains: 'AUTHENTICATION', means: 'expired-token' },
      { status: 409, means: 'cursor-expired' },
      { status: 400, contains: 'gone', means: 'not-found' },
      { status: 400, means: 'unavailable' },
      { status: 404, means: 'forbidden' },
      { status: 500, means: 'invalid' },
    ];
    const decide = (status: number, body = '') => meaning(classify({ status, body }, rules));
    expect(decide(200, '{"errors":[{"code":"RATELIMITED AUTHENTICATION"}]}')).toBe('retry-later');
    expect(decide(400, 'AUTHENTICATION gone')).toBe('expired-token');
    expect(decide(409)).toBe('cursor-expired');
    expect(decide(400, 'it is gone')).toBe('not-found');
    expect(decide(400)).toBe('retry');
    expect(decide(404)).toBe('forbidden');
    expect(decide(500)).toBe('invalid');
    expect(decide(429, 'other')).toBe('retry-later');
  });

  it('reads when to ask again, at most a day later', () => {
    const second = NOW / 1000;
    const date = new Date(NOW + 5000).toUTCString();
    for (const [headers, waitMs] of [
      [{ 'retry-after': '9', 'x-reset': '30' }, 9000],
      [{ 'x-reset': '30' }, 30_000],
      [{ 'x-reset': '0.2' }, 1000],
      [{ 'x-reset': String(second + 40) }, 40_000],
      [{ 'x-reset': String(NOW + 40_000) }, 40_000],
      [{ 'x-reset': new Date(NOW + 40_000).toISOString() }, 40_000],
      [{ 'x-reset': String(second + 40), date }, 35_000],
      [{ 'x-reset': '30', date }, 30_000],
      [{ 'x-reset': String(second - 40) }, 1000],
      [{ 'x-reset': '-5' }, 1000],
      [{ 'x-reset': '9'.repeat(40) }, 86_400_000],
      [{ 'x-reset': 'soon' }, undefined],
      [{}, undefined],
    ] as const) {
      const failed = classify({ status: 429, headers });
      const until = failed.kind === 'retry-later' ? failed.until?.getTime() : NaN;
      expect(until, JSON.stringify(headers)).toBe(waitMs === undefined ? undefined : NOW + waitMs);
    }
  });

  it('pauses until a used-up quota has room again, if the answer says when', () => {
    const pause = (headers: Record<string, string>) => {
      const until = pausedUntilOf(documentWith([]))(new Headers(headers), NOW);
      return until === undefined ? undefined : until - NOW;
    };
    expect(pause({ 'x-left': '0', 'x-reset': '30' })).toBe(30_000);
    expect(pause({ 'x-left': '0', 'x-reset': '9'.repeat(40) })).toBe(86_400_000);
    for (const headers of [{ 'x-left': '1', 'x-reset': '30' }, { 'x-reset': '30' }, { 'x-left': '0' }, {}])
      expect(pause(headers as Record<string, string>)).toBe(undefined);
  });

  it('takes a refusal for a used-up quota only if nothing is left', () => {
    const decide = (left: string) => meaning(classify({ status: 403, headers: { 'x-left': left } }));
    expect(['0', ' 0 ', '-1', '0.0'].map(decide)).toEqual(Array(4).fill('retry-later'));
    expect(['1', '', 'none'].map(decide)).toEqual(Array(3).fill('forbidden'));
  });

  it('has no text of the provider in any message, which may repeat the secret', () => {
    const means = [
      'expired-token',
      'forbidden',
      'not-found',
      'invalid',
      'cursor-expired',
      'rate-limited',
      'unavailable',
      'no-records',
    ] as const;
    const rules = [undefined, ...means.map((one): FailureRule => ({ contains: 's3cret', means: one }))];
    for (const rule of rules)
      for (let status = 200; status < 600; status++) {
        const body = '{"message":"no s3cret","errors":["s3cret"]}';
        const headers = {
          'x-reset': 's3cret',
          'x-left': 's3cret',
          'retry-after': 's3cret',
          location: 's3cret',
        };
        const failed = classify({ status, body, headers }, rule ? [rule] : []);
        expect(JSON.stringify(failed)).not.toContain('s3cret');
        expect(failed.message).toMatch(/^Tickets .*\.$/);
      }
  });
});
