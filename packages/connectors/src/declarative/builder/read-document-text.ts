import { CONNECTOR_BOUNDS } from '@datadeck/contract';
import { connectorDocumentSchema } from '@datadeck/contract/connector-document';
import { isRecord } from '@datadeck/contract/table-columns';
import { documentProblems } from '../document-problems.ts';
import type { ReadDocument } from './builder-task.ts';
import { parseText, TextError } from './parse-text.ts';
import { schemaProblems } from './schema-messages.ts';

/** Most faults of one document that are reported. */
const MAX_PROBLEMS = 100;

const only = (message: string): ReadDocument => ({ problems: [{ path: '', message }] });

/** Reads a document from JSON or YAML; see `readDocument`. Runs in the builder's thread. */
export function readDocumentText(text: string): ReadDocument {
  const most = CONNECTOR_BOUNDS.document;
  if (text.length > most) return only(`The text has more than ${most.toLocaleString('en')} characters.`);
  if (text.trim() === '') return only('The text is empty.');
  try {
    const value = parseText(text);
    if (!isRecord(value))
      return only('The text is no object: begin with { in JSON, or with version: 1 in YAML.');
    const { data: document, error } = connectorDocumentSchema.safeParse(value);
    if (error) return { problems: schemaProblems(error, value).slice(0, MAX_PROBLEMS) };
    return { document, problems: documentProblems(document).slice(0, MAX_PROBLEMS) };
  } catch (error) {
    if (error instanceof TextError) return only(error.message);
    throw error;
  }
}
