export type { EvaluatedPage } from './pool.ts';
export { EvaluationPool } from './pool.ts';
export type { OutputFormat } from './protocol.ts';
export { LOADED_BYTES } from './room.ts';
export type { DataSet } from './row-cache.ts';
