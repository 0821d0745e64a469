import { describe, expect, it } from 'vitest';
import { classifyGmail } from './classify.ts';

const answer = (status: number, body: string) => ({ status, headers: new Headers(), body, now: 0 });

describe('classifyGmail', () => {
  // @covers transport.408
  it.each([408, 500, 502, 503, 504])('retries status %i', (status) => {
    expect(classifyGmail(answer(status, '<html>'))).toMatchObject({ kind: 'retry' });
  });

  it("reports Gmail's error message as one sentence", () => {
    const body = JSON.stringify({ error: { message: 'Precondition check failed.' } });
    expect(classifyGmail(answer(400, body))).toMatchObject({
      message: 'Gmail refused the request: Precondition check failed.',
    });
  });
});
