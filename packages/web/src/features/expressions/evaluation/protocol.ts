/** Values of an expression's variables: of parameters, and the rows of named bases. */
export type Variables = Readonly<Record<string, unknown>>;

/** Sent to the worker: evaluate an expression over rows. */
export interface EvaluationRequest {
  id: number;
  expression: string;
  rows: readonly unknown[];
  bindings?: Variables | undefined;
}

export interface EvaluationFailure {
  message: string;
  /** Offset in the expression, if the engine reports one. */
  position?: number | undefined;
  /** The engine's error code, if it has one. */
  code?: string | undefined;
}

export type Evaluation =
  | { ok: true; result: unknown; elapsedMs: number }
  | { ok: false; failure: EvaluationFailure };

/** Sent by the worker: it is ready, or an evaluation is done. */
export type WorkerMessage = { type: 'ready' } | { type: 'done'; id: number; evaluation: Evaluation };
