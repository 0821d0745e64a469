export type { RecordedAnswer } from './recorded-answer.ts';
