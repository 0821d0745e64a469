import type { Bindings } from '@datadeck/contract';

/** To the worker: evaluate an expression over rows. */
export interface EvaluationRequest {
  id: number;
  expression: string;
  rows: readonly unknown[];
  bindings?: Bindings | undefined;
}

export interface EvaluationFailure {
  message: string;
  /** Offset in the expression, where the engine knows it. */
  position?: number | undefined;
  /** The engine's code, where it has one. */
  code?: string | undefined;
}

export type Evaluation =
  | { ok: true; result: unknown; elapsedMs: number }
  | { ok: false; failure: EvaluationFailure };

/** From the worker: it is ready, or an evaluation has ended. */
export type WorkerMessage = { type: 'ready' } | { type: 'done'; id: number; evaluation: Evaluation };
