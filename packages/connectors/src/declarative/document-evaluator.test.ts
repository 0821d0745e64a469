import { connectorDocumentSchema } from '@datadeck/contract/connector-document';
import { describe, expect, it } from 'vitest';
import { DocumentEvaluator } from './document-evaluator.ts';
import todoist from './shipped/todoist.json' with { type: 'json' };

const document = connectorDocumentSchema.parse(todoist);

describe('the extraction of stored documents', () => {
  it('yields columns for each document of a turn', async () => {
    const evaluator = new DocumentEvaluator(document);
    const documents = Array.from({ length: 50 }, (_, index) => ({
      id: `${index}`,
      name: `Project ${index}`,
    }));
    const extracted = await Promise.all(documents.map((one) => evaluator.extract('todoist-projects', one)));
    expect(extracted.map(({ columns }) => columns.name)).toEqual(documents.map(({ name }) => name));
  });

  it('reports that documents could be read later when the thread cannot read any', async () => {
    const evaluator = new DocumentEvaluator(document);
    await expect(evaluator.extract('todoist-unknown', { id: '1' })).rejects.toMatchObject({
      name: 'ProviderError',
      failure: 'unavailable',
    });
  });
});
