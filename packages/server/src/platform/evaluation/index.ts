export type { DataSet, EvaluatedPage } from './pool.ts';
export { EvaluationPool } from './pool.ts';
export type { OutputFormat } from './protocol.ts';
export { RowBatch } from './rows.ts';
