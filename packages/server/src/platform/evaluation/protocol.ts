import type { PrintFormat } from './row-prints.ts';

/** The expressions to evaluate over the rows of a data set. */
export interface EvaluationRequest {
  /** Key of the rows; equal keys mean equal rows. */
  key: string;
  /** Expressions, each evaluated over the result of the previous one, the first over the rows. */
  chain: string[];
  /** Variables of all expressions. */
  bindings: Record<string, unknown>;
  /** Longest evaluation of the whole chain, ms. */
  deadlineMs: number;
}

export interface PageRequest extends EvaluationRequest {
  offset: number;
  limit: number;
  /** Longest text of the page, UTF-16 units. */
  maxText: number;
}

/** CSV for spreadsheets, in which no text is a formula, or with texts as they are. */
export type CsvFormat = 'csv' | 'exact-csv';
export type OutputFormat = 'json' | 'ndjson' | CsvFormat;

/** Messages to a child process. Rows are sent through a separate pipe, in the format of `rows.ts`. */
export type ToChild =
  /** Announces rows to stream through the chain, unless the result is cached. */
  | ({ type: 'begin'; id: number; family: string } & EvaluationRequest)
  /** Ends streamed rows; `bytes` is their total size. */
  | { type: 'end'; id: number; bytes: number }
  /** Loads rows of `bytes` bytes; sets of the same family with other keys are stale. */
  | { type: 'load'; key: string; family: string; bytes: number }
  | ({ type: 'page'; id: number } & PageRequest)
  /** `maxBytes` limits the whole text. */
  | ({ type: 'stream'; id: number; format: OutputFormat | PrintFormat; maxBytes: number } & EvaluationRequest)
  | { type: 'more'; id: number }
  /** Only parses an expression. */
  | { type: 'check'; id: number; expression: string };

export interface EvaluationFailure {
  /** needs-all-rows: the expression cannot be streamed; the message says why. */
  kind: 'invalid' | 'failed' | 'too-complex' | 'needs-all-rows';
  message: string;
  code: string;
  position: number | null;
}

/** Messages from a child process. */
export type FromChild =
  | { type: 'ready' }
  /** Response to `begin`; rows are needed unless `isCached`. */
  | { type: 'begun'; id: number; isCached: boolean; forgotten: string[] }
  /** No more streamed rows are needed. */
  | { type: 'enough' }
  /** The result of streamed rows is cached. */
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
