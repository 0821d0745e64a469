import type { DocumentStart, StartedDocument } from '@datadeck/contract';
import { shippedDocuments } from '../shipped/index.ts';
import { parseText, TextError } from './parse-text.ts';
import { startExample } from './start-example.ts';
import { startManifest } from './start-manifest.ts';
import { startOpenApi } from './start-openapi.ts';
import { renamed } from './started.ts';

function startShipped(key: string): StartedDocument {
  const shipped = shippedDocuments.find((document) => document.key === key);
  if (!shipped) return { document: '', remarks: [`There is no document ${key} to start from.`] };
  const own = `my-${key}`;
  return {
    document: JSON.stringify(renamed(shipped, own), null, 2),
    remarks: [
      `The key is ${own}, because ${key} belongs to the shipped connector. Ids and templates were renamed, too.`,
    ],
  };
}

function startText(text: string): StartedDocument {
  try {
    return { document: JSON.stringify(parseText(text), null, 2) ?? '', remarks: [] };
  } catch (error) {
    if (error instanceof TextError) return { document: text, remarks: [error.message] };
    throw error;
  }
}

/** A start that needs no request. */
export type TextStart = Exclude<DocumentStart, { from: 'address' }>;

/** Writes a document from what a person has; see `draftDocument`. Runs in the builder's thread. */
export function startDocumentText(start: TextStart): StartedDocument {
  switch (start.from) {
    case 'shipped':
      return startShipped(start.key);
    case 'example':
      return startExample(start);
    case 'openapi':
      return startOpenApi(start);
    case 'manifest':
      return startManifest(start);
    case 'document':
      return startText(start.text);
  }
}
