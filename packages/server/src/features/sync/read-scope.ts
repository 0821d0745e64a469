import type {
  Completion,
  EntityDefinition,
  Json,
  Page,
  ProviderClient,
  ReadRequest,
} from '@datadeck/connectors';
import { limitOf } from '@datadeck/contract';
import type { Queryable } from '../../platform/db/database.ts';
import { countListed, storedReader } from '../records/index.ts';
import { targetOf } from './commit.ts';
import { countersSchema } from './counters.ts';
import { PageBatches } from './page-batches.ts';
import { hasScopes } from './run-scopes.ts';
import { type SyncRow, settingsOf } from './to-response.ts';

/** A scope whose pages are fetched ahead, up to one transaction's worth of records. */
export interface ScopeReading {
  client: ProviderClient;
  batches: PageBatches;
  pages: AsyncGenerator<Page, Completion>;
}

/** Starts to fetch the pages of the scope in the row of a run, from its checkpoint. */
export async function readScope(
  db: Queryable,
  run: SyncRow,
  { entity, client, signal }: { entity: EntityDefinition; client: ProviderClient; signal: AbortSignal },
): Promise<ScopeReading> {
  const { unreadable } = countersSchema.parse(run.counters);
  const alreadyListed = run.startCursor === null ? await countListed(db, targetOf(run)) : 0;
  const request: ReadRequest = {
    client,
    settings: settingsOf(run),
    checkpoint: run.checkpoint as Json,
    cursor: run.startCursor as Json,
    limit: Math.max(0, limitOf(run.cap) - Math.max(0, alreadyListed - unreadable)),
    signal,
    stored: storedReader(db, targetOf(run)),
    ...(run.since === null ? {} : { since: run.since }),
    // What is only counted, such as deletions, is not worth a request for each of many scopes.
    ...(hasScopes(run) && { reportsMoves: true, isConditional: (run.scopeCount ?? 0) > 1 }),
  };
  const pages = entity.read(request);
  return { client, pages, batches: new PageBatches(pages, request, entity.table) };
}

/** Stops fetching. Not awaited, because that would delay a cancel. */
export function stopReading({ pages }: ScopeReading): void {
  void pages.return({ cursor: null, truncated: false }).catch(() => undefined);
}
