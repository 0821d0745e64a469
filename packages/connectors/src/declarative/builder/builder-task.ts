import type { DocumentStart, StartedDocument } from '@datadeck/contract';
import type { ConnectorDocument } from '@datadeck/contract/connector-document';
import type { DocumentProblem } from '../document-problems.ts';

/** What a text says: the document if its form is right, and its faults. */
export interface ReadDocument {
  document?: ConnectorDocument;
  problems: DocumentProblem[];
}

/** A task of the builder's thread for texts. */
export type BuilderTask =
  | { kind: 'read'; text: string }
  | { kind: 'check'; document: ConnectorDocument }
  | { kind: 'start'; start: DocumentStart };

/** The answers to the tasks. */
export interface BuilderAnswers {
  read: ReadDocument;
  check: DocumentProblem[];
  start: StartedDocument;
}
