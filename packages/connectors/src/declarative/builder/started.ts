import type { StartedDocument } from '@datadeck/contract';
import { type ConnectorDocument, connectorDocumentSchema } from '@datadeck/contract/connector-document';
import { checkedProblems } from './check-expressions.ts';
import { schemaProblems } from './schema-messages.ts';

/** Most remarks of one document. */
const MAX_REMARKS = 30;
const MAX_KEY = 31;

/** A document before the schema fills in its defaults. */
export type Draft = Record<string, unknown>;

/** Returns texts with numbers behind those that are repeated. */
export class UniqueKeys {
  readonly #used = new Set<string>();

  /** Returns the key, or one near it that is free; at most 31 characters. */
  take(key: string): string {
    let free = key.slice(0, MAX_KEY).replace(/-$/, '');
    for (let count = 2; this.#used.has(free); count++)
      free = `${key.slice(0, MAX_KEY - 1 - String(count).length)}-${count}`;
    this.#used.add(free);
    return free;
  }
}

/** Returns a text as a part of a key: `Merge requests` is `merge-requests`. */
export function slugOf(text: string, most: number): string {
  const slug = text
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, most)
    .replace(/-$/, '');
  return slug === '' ? 'items'.slice(0, most) : slug;
}

/** Returns a text as a title: `merge_requests` is `Merge requests`. */
export function titleOf(text: string): string {
  const words = slugOf(text, 60).replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns a draft as a document without defaults that say nothing, with what is still wrong with it as remarks. */
export function startedOf(draft: Draft, remarks: readonly string[]): StartedDocument {
  const { data, error } = connectorDocumentSchema.safeParse(draft);
  const problems = data ? checkedProblems(data) : schemaProblems(error, draft);
  const faults = problems.map(({ path, message }) => `${path}: ${message}`);
  return {
    document: JSON.stringify(draft, null, 2),
    remarks: [...faults, ...new Set(remarks)].slice(0, MAX_REMARKS),
  };
}

/** Renames a shipped document: its key, the ids of its entities, and the keys of its templates. */
export function renamed(document: ConnectorDocument, key: string): ConnectorDocument {
  const [ids, templates] = [new UniqueKeys(), new UniqueKeys()];
  const rename = (name: string) =>
    name.startsWith(`${document.key}-`) ? key + name.slice(document.key.length) : `${key}-${name}`;
  const renamedIds = new Map(document.entities.map(({ id }) => [id, ids.take(rename(id))]));
  return {
    ...document,
    key,
    entities: document.entities.map((entity) => ({
      ...entity,
      id: renamedIds.get(entity.id) ?? entity.id,
      ...(entity.parent !== undefined && { parent: renamedIds.get(entity.parent) ?? entity.parent }),
      templates: entity.templates.map((template) => ({
        ...template,
        key: templates.take(rename(template.key)),
      })),
    })),
  };
}
