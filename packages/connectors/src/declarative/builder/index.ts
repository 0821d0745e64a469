/** What the builder of connector documents does: reads, checks, tries and starts documents. */
export type { ReadDocument } from './builder-task.ts';
export { checkDocument, draftDocument, readDocument } from './documents.ts';
export type { RecordedAnswer } from './recorded-answer.ts';
export { type EntityTrial, type TrialOptions, tryEntity } from './try-entity.ts';
