/** What to do with the rows of a data set. */
export interface EvaluationRequest {
  /** Names the rows; equal keys mean equal rows. */
  key: string;
  /** Expressions, each over the result of the one before, the first over the rows. */
  chain: string[];
  /** Variables that every expression of the chain sees. */
  bindings: Record<string, unknown>;
  /** Longest time of the evaluation of the whole chain, ms. */
  deadlineMs: number;
}

export interface PageRequest extends EvaluationRequest {
  offset: number;
  limit: number;
  /** Longest text of the page, UTF-16 units. */
  maxText: number;
}

export type OutputFormat = 'json' | 'ndjson' | 'csv';

/** Messages to a child process. Rows come beside them through a pipe, as `rows.ts` writes them. */
export type ToChild =
  /** Announces rows that are streamed through the chain, unless the result is held already. */
  | ({ type: 'begin'; id: number; family: string } & EvaluationRequest)
  /** So many bytes of streamed rows have been sent. */
  | { type: 'end'; id: number; bytes: number }
  /** So many bytes of rows come through the pipe; sets of the same family with other keys are stale. */
  | { type: 'load'; key: string; family: string; bytes: number }
  | ({ type: 'page'; id: number } & PageRequest)
  /** `mostBytes`: of the whole text. */
  | ({ type: 'stream'; id: number; format: OutputFormat; maxBytes: number } & EvaluationRequest)
  | { type: 'more'; id: number }
  /** Parses an expression and evaluates nothing. */
  | { type: 'check'; id: number; expression: string };

export interface EvaluationFailure {
  /** needs-all-rows: the message is the reason why the expression cannot be streamed. */
  kind: 'invalid' | 'failed' | 'too-complex' | 'needs-all-rows';
  message: string;
  code: string;
  position: number | null;
}

/** Messages from a child process. */
export type FromChild =
  | { type: 'ready' }
  /** The answer to `begin`: whether rows are wanted. */
  | { type: 'begun'; id: number; isCached: boolean; forgotten: string[] }
  /** No more streamed rows are wanted. */
  | { type: 'enough' }
  /** The result of streamed rows is held. */
  | { type: 'streamed'; id: number }
  | { type: 'loaded'; key: string; forgotten: string[] }
  | {
      type: 'page';
      id: number;
      text: string;
      count: number;
      isArray: boolean;
      rows: number;
      elapsedMs: number;
    }
  | { type: 'chunk'; id: number; text: string; last: boolean }
  | { type: 'checked'; id: number }
  | { type: 'failure'; id: number; failure: EvaluationFailure };
