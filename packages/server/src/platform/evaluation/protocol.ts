import type { Sort } from '@datadeck/contract';
import type { RowSource } from '@datadeck/jsonata';

export type { Sort };

/** What an expression reads: a list of rows by its position in the set, or the result of an earlier step. */
export type Operand = { list: number } | { step: number };

/** An expression over one operand, with others as variables. */
export interface PlanStep {
  expression: string;
  input: Operand;
  variables: Readonly<Record<string, Operand>>;
  /**
   * If set, the result is one item: the array of the distinct texts and numbers with which the expression compares the rows
   * of this list, which is no operand. Nothing for more than `MAX_JOIN_KEYS`.
   */
  keysOf?: RowSource;
}

/** Largest number of keys that select the rows of a list. */
export const MAX_JOIN_KEYS = 1000;

/** Expressions to evaluate over rows, and how much of the result to write. */
export interface EvaluationRequest {
  /** Key of the rows; equal keys mean equal rows. */
  key: string;
  /** Expressions, each evaluated over the result of the previous one, the first over the rows. */
  chain: readonly string[];
  /** Steps over several lists of rows, whose last result is the chain's input instead of the rows. */
  plan?: readonly PlanStep[] | undefined;
  /** Variables of all expressions. */
  bindings: Record<string, unknown>;
  /** Longest evaluation of the whole chain, ms. */
  deadlineMs: number;
  /** Order of the result, if it is an array. Absent: that of the last expression. */
  sort?: Sort | undefined;
  /** How much of the result is written. */
  extent: Extent;
}

/** Writing ends when both `lines` and `bytes` are written, and beyond `maxBytes` in any case. */
export interface Extent {
  lines: number;
  bytes: number;
  maxBytes: number;
}

/** Largest set of rows that a process loads, bytes of JSON. */
export const MAX_LOADED_BYTES = 128 * 1024 * 1024;

/** Selects the rows that an expression needs while they arrive. */
export interface RowFilter {
  expression: string;
  bindings: Record<string, unknown>;
}

/** Messages to a child process. Rows are sent through the data pipe before `load`, as lines of JSON. */
export type ToChild =
  /** Keeps only those of the next rows that an expression needs. */
  | ({ type: 'filter' } & RowFilter)
  /** Keeps the rows of `bytes` bytes, instead of any others. The lists of a set are loaded one after another. */
  | { type: 'load'; key: string; bytes: number; list: number; isLast: boolean }
  | ({ type: 'run' } & EvaluationRequest)
  /** Only parses an expression. */
  | { type: 'check'; expression: string };

/** What is known of a result before it is written. */
export interface ResultFacts {
  /** Number of items; 1 for a value that is no array, 0 for none. */
  count: number;
  isArray: boolean;
  /** Number of rows that the chain was evaluated over. */
  rows: number;
  elapsedMs: number;
}

/** The written part of a result: one item as a line of JSON each. */
export interface WrittenLines {
  /** Number of complete lines. An incomplete one may follow them. */
  lines: number;
  /** Offsets of every `LINES_PER_OFFSET`th line, and of the end of the last complete one. */
  offsets: number[];
}

/** The byte after the last line of a result; JSON escapes it. Then follows `WrittenLines` as one line of JSON. */
export const LINES_END = 0;
/** The byte after `WrittenLines`. */
export const SUMMARY_END = 10;

/** Lines between two known offsets: those of a page. */
export const LINES_PER_OFFSET = 20;

export interface EvaluationFailure {
  kind: 'invalid' | 'failed' | 'too-complex' | 'unsortable';
  message: string;
  code: string;
  position: number | null;
}

/** Messages from a child process. The lines of a result follow `evaluated` through the data pipe. */
export type FromChild =
  | { type: 'ready' }
  | { type: 'filtering' }
  | { type: 'loaded' }
  | ({ type: 'evaluated' } & ResultFacts)
  | { type: 'checked' }
  | { type: 'failure'; failure: EvaluationFailure };
