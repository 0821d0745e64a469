import type { Queryable } from '../../platform/db/database.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { chainOf } from './graph.ts';
import { insertView, selectViews } from './store.ts';
import type { NewView, ViewRow } from './to-response.ts';

/** Returns what is stored of a copied view: its category and the accounts of its bases are those of its owner, and left out. */
function toCopy(row: ViewRow, copies: ReadonlyMap<string, string>): NewView {
  const copyOf = (id: string | null) => (id === null ? null : (copies.get(id) ?? null));
  return {
    title: row.title,
    description: row.description,
    expression: row.expression,
    provider: row.provider,
    entity: row.entity,
    templateKey: row.templateKey,
    search: row.search,
    basedOn: copyOf(row.basedOn),
    bases: row.bases.map((base) => ({ ...base, basedOn: copyOf(base.basedOn), account: null })),
    parameters: row.parameters,
    display: row.display,
  };
}

/**
 * Copies views of one user, with all that they build on, to another, whose views the caller has locked. Views that do not exist
 * any more are left out.
 * @returns the ids of the copies by those of the copied views
 * @throws AppError limit-reached
 */
export async function copyViews(
  tx: Queryable,
  registry: ConnectorRegistry,
  { from, to, ids }: { from: string; to: string; ids: readonly string[] },
): Promise<Map<string, string>> {
  const known = new Map<string, ViewRow>();
  const copies = new Map<string, string>();
  for (const view of (await selectViews(tx, from, ids)).values())
    for (const row of await chainOf(tx, from, view, known)) {
      if (copies.has(row.id)) continue;
      const { _id } = await insertView(tx, registry, { userId: to, view: toCopy(row, copies) });
      copies.set(row.id, _id);
    }
  return copies;
}
