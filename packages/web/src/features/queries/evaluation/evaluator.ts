import type { Bindings } from '@datadeck/contract';
import type { Evaluation, EvaluationRequest, WorkerMessage } from './protocol.ts';

/** Milliseconds that one evaluation may take. */
export const DEADLINE = 1000;

/** The part of a Web Worker that the evaluator uses. */
export interface EvaluationWorker {
  postMessage: (request: EvaluationRequest) => void;
  terminate: () => void;
  onmessage: ((event: MessageEvent<WorkerMessage>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

interface Job {
  request: EvaluationRequest;
  resolve: (evaluation: Evaluation) => void;
}

const TOO_LONG: Evaluation = {
  ok: false,
  failure: { message: `The expression took longer than ${DEADLINE / 1000} s and was stopped.` },
};
const SUPERSEDED: Evaluation = { ok: false, failure: { message: 'Superseded by a newer expression.' } };
const BROKEN: Evaluation = { ok: false, failure: { message: 'The evaluation could not be started.' } };

/**
 * Evaluates expressions in a worker, one at a time, the newest first. One that passes the deadline is ended with
 * its worker; the next one gets a new worker. The time to load the worker does not count.
 */
export class Evaluator {
  readonly #create: () => EvaluationWorker;
  #worker: EvaluationWorker | null = null;
  #isReady = false;
  #running: Job | null = null;
  #waiting: Job | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #nextId = 1;

  constructor(create: () => EvaluationWorker) {
    this.#create = create;
  }

  /** The outcome of the expression over the rows; resolves always. */
  evaluate(expression: string, rows: readonly unknown[], bindings?: Bindings): Promise<Evaluation> {
    return new Promise((resolve) => {
      this.#waiting?.resolve(SUPERSEDED);
      this.#waiting = { request: { id: this.#nextId++, expression, rows, bindings }, resolve };
      this.#next();
    });
  }

  /** Ends the worker; pending evaluations are superseded. */
  close(): void {
    this.#waiting?.resolve(SUPERSEDED);
    this.#waiting = null;
    this.#end(SUPERSEDED);
  }

  #next(): void {
    if (this.#waiting === null || this.#running !== null) return;
    this.#worker ??= this.#start();
    if (!this.#isReady) return;
    const job = this.#waiting;
    this.#waiting = null;
    this.#running = job;
    this.#timer = setTimeout(() => {
      this.#end(TOO_LONG);
      this.#next();
    }, DEADLINE);
    this.#worker.postMessage(job.request);
  }

  #start(): EvaluationWorker {
    const worker = this.#create();
    worker.onmessage = ({ data }) => {
      if (data.type === 'ready') this.#isReady = true;
      else if (data.id === this.#running?.request.id) this.#settle(data.evaluation);
      this.#next();
    };
    worker.onerror = () => {
      this.#waiting?.resolve(BROKEN);
      this.#waiting = null;
      this.#end(BROKEN);
    };
    return worker;
  }

  #settle(evaluation: Evaluation): void {
    clearTimeout(this.#timer);
    this.#running?.resolve(evaluation);
    this.#running = null;
  }

  #end(evaluation: Evaluation): void {
    this.#settle(evaluation);
    this.#worker?.terminate();
    this.#worker = null;
    this.#isReady = false;
  }
}
