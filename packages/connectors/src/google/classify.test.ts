import { expect, test } from 'vitest';
import { classifyGmail } from './classify.ts';

const answer = (status: number, body: string) => ({ status, headers: new Headers(), body, now: 0 });

// @covers transport.408
test.each([408, 500, 502, 503, 504])('status %i is tried again', (status) => {
  expect(classifyGmail(answer(status, '<html>'))).toMatchObject({ kind: 'retry' });
});

test('what Gmail says of a refusal is told as one sentence', () => {
  const body = JSON.stringify({ error: { message: 'Precondition check failed.' } });
  expect(classifyGmail(answer(400, body))).toMatchObject({
    message: 'Gmail refused the request: Precondition check failed.',
  });
});
