import type { StartedDocument } from '@datadeck/contract';
import type { ConnectorDocument } from '@datadeck/contract/connector-document';
import { TaskThread, ThreadLimitError } from '../../sdk/index.ts';
import type { DocumentProblem } from '../document-problems.ts';
import type { BuilderAnswers, BuilderTask, ReadDocument } from './builder-task.ts';
import type { TextStart } from './start-document-text.ts';

const thread = new TaskThread(new URL('./builder-thread.ts', import.meta.url), {
  timeoutMs: 10_000,
  heapMb: 384,
});

function run<Kind extends BuilderTask['kind']>(
  task: Extract<BuilderTask, { kind: Kind }>,
): Promise<BuilderAnswers[Kind]> {
  return thread.run<BuilderAnswers[Kind]>(task);
}

/** Returns the problem of a document that reached a limit of its thread. @throws other errors */
function limitProblem(error: unknown): DocumentProblem {
  if (!(error instanceof ThreadLimitError)) throw error;
  return {
    path: '',
    message: `The document takes too much ${error.limit} to read. Make it, or the patterns of its fields, smaller.`,
  };
}

/**
 * Reads a document from JSON or YAML of at most 200,000 characters, and checks all but its expressions (`checkDocument`).
 * @returns the document if its form is right, and its faults as sentences by path: `entities.0.columns.state.value`; a fault of
 *   the syntax has an empty path, and names line and column
 */
export async function readDocument(text: string): Promise<ReadDocument> {
  try {
    return await run<'read'>({ kind: 'read', text });
  } catch (error) {
    return { problems: [limitProblem(error)] };
  }
}

/**
 * Returns all faults of a document by path: those that its parts say of each other, expressions that cannot be compiled, and
 * patterns of fields that are wrong or slow. A connector can be made of a document without faults.
 */
export async function checkDocument(document: ConnectorDocument): Promise<DocumentProblem[]> {
  try {
    return await run<'check'>({ kind: 'check', document });
  } catch (error) {
    return [limitProblem(error)];
  }
}

/**
 * Writes a document to start from: a shipped one under another key, one for an example answer or for the lists of an OpenAPI
 * description or the streams of a manifest of Airbyte, or a text as indented JSON. What could not be read is a remark; the document
 * is then empty, the given text, or one to complete by hand.
 */
export async function draftDocument(start: TextStart): Promise<StartedDocument> {
  try {
    return await run<'start'>({ kind: 'start', start });
  } catch (error) {
    return { document: '', remarks: [limitProblem(error).message] };
  }
}
