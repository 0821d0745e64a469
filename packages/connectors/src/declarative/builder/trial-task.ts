import type { ConnectorTrialResult } from '@datadeck/contract';
import type { DocumentProblem } from '../document-problems.ts';
import type { Answer, Variables } from '../document-task.ts';
import type { WireRequest } from '../wire-request.ts';
import type { RecordedAnswer } from './recorded-answer.ts';

interface TrialTaskBase {
  /** JSON text of the document. */
  document: string;
  /** Place of the entity in the document. */
  index: number;
  variables: Variables;
  /** Texts that no result may contain. */
  secrets: readonly string[];
}

/** A page that the thread reads for a trial. */
export interface TrialPageTask extends TrialTaskBase {
  kind: 'page';
  request: WireRequest;
  /** An answer of any status. */
  answer: Answer;
  status: number;
  /** Address that answered, and base address of the API. */
  answered: string;
  apiUrl: string;
}

/** A task of the trial's thread. */
export type TrialTask = (TrialTaskBase & { kind: 'request' }) | TrialPageTask;

/** A built request, or what is wrong with its expressions. */
export interface TrialRequest {
  request?: WireRequest;
  problems: DocumentProblem[];
}

/** What a page shows, without secrets. */
export type TrialPage = Pick<
  ConnectorTrialResult,
  'records' | 'nextPage' | 'columns' | 'suggestions' | 'problems'
> & {
  /** Start of the answer. */
  text: string;
  /** The first record with its added fields as JSON, for entities below this one. */
  parent?: string;
  recording?: RecordedAnswer;
};
