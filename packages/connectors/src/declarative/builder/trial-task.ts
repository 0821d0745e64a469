import type { ConnectorTrialResult } from '@datadeck/contract';
import type { DocumentProblem } from '../document-problems.ts';
import type { Answer, Variables } from '../document-task.ts';
import type { WireRequest } from '../wire-request.ts';
import type { RecordedAnswer } from './recorded-answer.ts';

interface TrialTaskBase {
  /** JSON text of the document. */
  document: string;
  variables: Variables;
  /** Texts that no result may contain. */
  secrets: readonly string[];
}

/** How a request reaches the API: the base address, and the names of what proves the identity. */
interface SentAccess {
  apiUrl: string;
  headers: readonly string[];
  query: readonly string[];
}

/** A request that the thread builds: the first one of the entity at this place in the document, or the one of its identity. */
export interface TrialRequestTask extends TrialTaskBase {
  kind: 'request';
  part: number | 'identity';
  access: SentAccess;
}

interface TrialAnswerTask extends TrialTaskBase {
  request: WireRequest;
  /** An answer of any status. */
  answer: Answer;
  status: number;
  /** Address that answered, and base address of the API. */
  answered: string;
  apiUrl: string;
}

/** A page that the thread reads for a trial. */
export interface TrialPageTask extends TrialAnswerTask {
  kind: 'page';
  /** Place of the entity in the document. */
  index: number;
  /** Whether the recording keeps the names of members. */
  keepsNames: boolean;
}

/** An answer about the account that the thread reads for a trial. */
export interface TrialIdentityTask extends TrialAnswerTask {
  kind: 'identity';
}

/** A task of the trial's thread. */
export type TrialTask = TrialRequestTask | TrialPageTask | TrialIdentityTask;

/** A built request and how a person sees it, or what is wrong with its expressions. */
export interface TrialRequest {
  built?: {
    request: WireRequest;
    shown: NonNullable<ConnectorTrialResult['request']>;
    /** The part of the entity that it asks for, as JSON. */
    part?: string;
  };
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

/** Who is connected, without secrets. */
export interface TrialIdentity {
  /** Start of the answer. */
  text: string;
  /** Name of the account. */
  account?: string;
  problems: DocumentProblem[];
  recording?: RecordedAnswer;
}
