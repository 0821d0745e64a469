/** Values of variables that expressions may ask for. */
export type Bindings = Readonly<Record<string, string | number | boolean>>;

/** What to do with the rows of a data set. */
export interface EvaluationRequest {
  /** Names the rows; equal keys mean equal rows. */
  key: string;
  /** Expressions, each over the result of the one before, the first over the rows. */
  chain: string[];
  /** Values of variables, by their names without the `$`. */
  bindings?: Bindings | undefined;
  /** Longest time of the evaluation, ms. */
  deadlineMs: number;
}

export interface PageRequest extends EvaluationRequest {
  offset: number;
  limit: number;
}

export type OutputFormat = 'json' | 'ndjson' | 'csv';

/** Messages to a child process. */
export type ToChild =
  | { type: 'load'; key: string; text: string; last: boolean }
  | ({ type: 'page'; id: number } & PageRequest)
  | ({ type: 'stream'; id: number; format: OutputFormat } & EvaluationRequest)
  | { type: 'more'; id: number };

export interface EvaluationFailure {
  kind: 'invalid' | 'failed' | 'too-complex';
  message: string;
  code: string;
  position: number | null;
}

/** Messages from a child process. */
export type FromChild =
  | { type: 'ready' }
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
  | { type: 'failure'; id: number; failure: EvaluationFailure };
