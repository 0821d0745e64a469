import { freeName, listAt, textAt } from '../document/document-text.ts';

/** Returns a new entity for a document. */
export function newEntity(document: unknown): Record<string, unknown> {
  const key = textAt(document, ['key']);
  const ids = listAt(document, ['entities']).map((entity) => textAt(entity, ['id']));
  const id = freeName(`${key}-items`, ids);
  return {
    id,
    title: 'Items',
    description: 'Items of the service.',
    request: { path: '/items' },
    records: 'response.items',
    date: 'record.created_at',
    columns: {
      title: { type: 'text', value: 'record.title' },
      created_at: { type: 'time', value: 'record.created_at' },
    },
    titleColumn: 'title',
    templates: [
      {
        key: `${id}-all`,
        kind: 'records',
        title: 'All items',
        description: 'Every item as the service sent it, the newest first.',
      },
    ],
  };
}
