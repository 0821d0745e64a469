export { type DataSet, NO_ROWS, setOfLists } from './data-set.ts';
export { type EvaluatedPage, type Evaluation, Evaluations } from './evaluations.ts';
export { queryTooComplex } from './evaluator.ts';
export { followForgotten, forgetResults } from './forget-results.ts';
export { MAX_LOADED_BYTES, type Operand, type PlanStep } from './protocol.ts';
export type { ResultFile } from './result-file.ts';
