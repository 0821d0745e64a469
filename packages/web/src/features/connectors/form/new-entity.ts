import { listAt, textAt } from '../document/document-text.ts';
import { freeKey } from '../document/rename.ts';

/** Returns the keys of all templates of a document. */
export function templateKeys(document: unknown): string[] {
  return listAt(document, ['entities']).flatMap((entity) =>
    listAt(entity, ['templates']).map((template) => textAt(template, ['key'])),
  );
}

/** Returns a new entity for a document. */
export function newEntity(document: unknown): Record<string, unknown> {
  const key = textAt(document, ['key']);
  const ids = listAt(document, ['entities']).map((entity) => textAt(entity, ['id']));
  const id = freeKey(`${key}-items`, ids);
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
        key: freeKey(`${id}-all`, templateKeys(document)),
        kind: 'records',
        title: 'All items',
        description: 'Every item as the service sent it, the newest first.',
      },
    ],
  };
}
