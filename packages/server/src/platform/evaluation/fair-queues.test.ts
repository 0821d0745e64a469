import { afterEach, describe, expect, it, vi } from 'vitest';
import { RowBatch } from '../../../test-support/row-batch.ts';
import { TestEvaluations } from '../../../test-support/test-evaluations.ts';
import { AppError } from '../app-error.ts';
import { DEMO_QUEUE, withFairQueue } from '../fair-queue.ts';
import type { Evaluation } from './evaluations.ts';
import type { Evaluator } from './evaluator.ts';
import { type Waiting, WorkQueue } from './work-queue.ts';

const LONG_MS = 60_000;
const ENDLESS = '($f := function(){ $f() }; $f())';
const PAGE = { offset: 0, limit: 20 };

let pool: TestEvaluations;
afterEach(() => pool?.close());

function evaluationOf(userId: string, expression: string, more: Partial<Evaluation> = {}): Evaluation {
  const rows = {
    key: `rows of ${userId}`,
    family: `rows of ${userId}`,
    async *read() {
      const batch = new RowBatch();
      batch.add('1');
      yield batch.take();
    },
  };
  return { userId, rows, chain: [expression], urgency: 'live', ...more };
}

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'a value',
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );

describe('evaluations', () => {
  it(
    'leaves processes to others when many demo users evaluate',
    async () => {
      pool = new TestEvaluations({ liveMs: 10_000 });
      const demo = (n: number, urgency: Evaluation['urgency']) =>
        withFairQueue(DEMO_QUEUE, () =>
          codeOf(pool.page(evaluationOf(`demo ${n}`, ENDLESS, { urgency, deadlineMs: LONG_MS }), PAGE)),
        );
      for (let n = 0; n < 20; n++) {
        void demo(n, 'live');
        void demo(n, 'saved');
      }

      const outcomes: string[] = [];
      for (let round = 0; round < 9; round++)
        outcomes.push(
          ...(await Promise.all(
            ['ada', 'ben'].map((user) => codeOf(pool.page(evaluationOf(user, '$sum($)'), PAGE))),
          )),
          await codeOf(pool.page(evaluationOf('ada', '$sum($)', { urgency: 'saved' }), PAGE)),
        );

      expect(outcomes).toEqual(Array(27).fill('a value'));
    },
    LONG_MS,
  );

  it('limits the queue of demo users separately', async () => {
    pool = new TestEvaluations();
    const many = Array.from({ length: 100 }, (_, n) =>
      withFairQueue(DEMO_QUEUE, () => codeOf(pool.page(evaluationOf(`demo ${n}`, '1'), PAGE))),
    );
    expect(await codeOf(pool.page(evaluationOf('ada', '1'), PAGE))).toBe('a value');
    pool.close();
    const outcomes = await Promise.all(many);
    expect(outcomes.filter((outcome) => outcome === 'rate-limited').length).toBeGreaterThanOrEqual(35);
  });
});

describe('WorkQueue', () => {
  it('lets the users of one fairQueue take turns', () => {
    const queue = new WorkQueue();
    const started: string[] = [];
    const work = (userId: string): Waiting => ({
      userId,
      fairQueue: DEMO_QUEUE,
      rows: { key: '', family: '' },
      urgency: 'live',
      deadlineMs: 1000,
      start: () => started.push(userId),
      refuse: vi.fn(),
    });
    for (const user of ['a', 'a', 'a', 'b', 'c', 'b']) queue.add(work(user));
    for (let next = queue.next('live')[0]; next !== undefined; next = queue.next('live')[0])
      queue.start(next, {} as Evaluator);
    expect(started).toEqual(['a', 'b', 'c', 'a', 'b', 'a']);
  });
});
