import type { Evaluation, EvaluationRequest, Variables, WorkerMessage } from './protocol.ts';

/** Timeout of one evaluation, ms. */
export const TIMEOUT = 1000;

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
  failure: {
    message: `The expression took longer than ${TIMEOUT / 1000} s and was stopped. Simplify it or use fewer rows.`,
  },
};
const SUPERSEDED: Evaluation = { ok: false, failure: { message: 'Superseded by a newer expression.' } };
const BROKEN: Evaluation = {
  ok: false,
  failure: { message: 'The evaluation could not be started. Reload the page and try again.' },
};

/**
 * Evaluates expressions in a worker, one at a time; a newer expression replaces one that waits. After a timeout, the
 * worker is terminated and the next evaluation gets a new one. Loading the worker does not count towards the timeout.
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

  /** Evaluates an expression over the rows. Never rejects; failures are part of the result. */
  evaluate(expression: string, rows: readonly unknown[], bindings?: Variables): Promise<Evaluation> {
    return new Promise((resolve) => {
      this.#waiting?.resolve(SUPERSEDED);
      this.#waiting = { request: { id: this.#nextId++, expression, rows, bindings }, resolve };
      this.#next();
    });
  }

  /** Terminates the worker. Pending evaluations resolve as superseded. */
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
    }, TIMEOUT);
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
