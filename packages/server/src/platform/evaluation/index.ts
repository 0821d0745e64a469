export type { EvaluatedPage, Evaluation } from './pool.ts';
export { EvaluationPool } from './pool.ts';
export type { DataSet } from './row-cache.ts';
export { MAX_LOADED_BYTES } from './row-limits.ts';
export type { RowPrint } from './row-prints.ts';
