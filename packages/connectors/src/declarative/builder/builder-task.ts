import type { StartedDocument } from '@datadeck/contract';
import type { ConnectorDocument } from '@datadeck/contract/connector-document';
import type { DocumentProblem } from '../document-problems.ts';
import type { TextStart } from './start-document-text.ts';

/** What a text says: the document if its form is right, and its faults. */
export interface ReadDocument {
  document?: ConnectorDocument;
  problems: DocumentProblem[];
}

/** A task of the builder's thread for texts. */
export type BuilderTask =
  | { kind: 'read'; text: string }
  | { kind: 'check'; document: ConnectorDocument }
  | { kind: 'start'; start: TextStart };

/** The answers to the tasks. */
export interface BuilderAnswers {
  read: ReadDocument;
  check: DocumentProblem[];
  start: StartedDocument;
}
