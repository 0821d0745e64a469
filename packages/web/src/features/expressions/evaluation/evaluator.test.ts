import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type EvaluationWorker, Evaluator, TIMEOUT } from './evaluator.ts';
import type { EvaluationRequest } from './protocol.ts';

class FakeWorker implements EvaluationWorker {
  onmessage: EvaluationWorker['onmessage'] = null;
  onerror: EvaluationWorker['onerror'] = null;
  requests: EvaluationRequest[] = [];
  isTerminated = false;
  postMessage(request: EvaluationRequest) {
    this.requests.push(request);
  }
  terminate() {
    this.isTerminated = true;
  }
  ready() {
    this.onmessage?.(new MessageEvent('message', { data: { type: 'ready' } }));
  }
  answer(result: unknown) {
    const id = this.requests.at(-1)?.id ?? 0;
    const evaluation = { ok: true, result, elapsedMs: 1 } as const;
    this.onmessage?.(new MessageEvent('message', { data: { type: 'done', id, evaluation } }));
  }
}

const workers: FakeWorker[] = [];
const create = () => {
  const worker = new FakeWorker();
  workers.push(worker);
  return worker;
};

beforeEach(() => {
  workers.length = 0;
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

describe('Evaluator', () => {
  it('waits for the worker, then returns its result', async () => {
    const outcome = new Evaluator(create).evaluate('a', [1]);
    expect(workers[0]?.requests).toEqual([]);
    workers[0]?.ready();
    expect(workers[0]?.requests).toEqual([{ id: 1, expression: 'a', rows: [1] }]);
    workers[0]?.answer(42);
    expect(await outcome).toMatchObject({ ok: true, result: 42 });
  });

  it('terminates the worker at the deadline and continues with a new one', async () => {
    const evaluator = new Evaluator(create);
    const slow = evaluator.evaluate('loop', []);
    workers[0]?.ready();
    vi.advanceTimersByTime(TIMEOUT);
    expect(await slow).toMatchObject({
      ok: false,
      failure: { message: expect.stringContaining('longer than 1 s') },
    });
    expect(workers[0]?.isTerminated).toBe(true);

    const next = evaluator.evaluate('b', []);
    workers[1]?.ready();
    workers[1]?.answer('fine');
    expect(await next).toMatchObject({ ok: true, result: 'fine' });
  });

  it('starts the deadline only when the worker has loaded', () => {
    void new Evaluator(create).evaluate('a', []);
    vi.advanceTimersByTime(TIMEOUT * 5);
    expect(workers[0]?.isTerminated).toBe(false);
  });

  it('runs only the newest waiting evaluation after the running one', async () => {
    const evaluator = new Evaluator(create);
    const first = evaluator.evaluate('1', []);
    workers[0]?.ready();
    const second = evaluator.evaluate('2', []);
    const third = evaluator.evaluate('3', []);
    expect(await second).toMatchObject({ ok: false });
    workers[0]?.answer('one');
    expect(await first).toMatchObject({ result: 'one' });
    expect(workers[0]?.requests.map(({ expression }) => expression)).toEqual(['1', '3']);
    workers[0]?.answer('three');
    expect(await third).toMatchObject({ result: 'three' });
  });

  it('reports a worker that cannot start', async () => {
    const outcome = new Evaluator(create).evaluate('a', []);
    workers[0]?.onerror?.(new ErrorEvent('error'));
    expect(await outcome).toMatchObject({ ok: false });
  });
});
