import type { EntityDefinition, TemplateDefinition } from '@datadeck/connectors';
import { AS_OF_LIMITS } from '@datadeck/contract';
import { type SQL, sql } from 'drizzle-orm';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import { readBounded } from '../../platform/db/bounded-read.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import {
  countPreImages,
  countRecordsBefore,
  type RecordSet,
  type RecordsBefore,
  withRecordsBefore,
} from '../records/index.ts';
import { pastEntries } from '../search/index.ts';
import { requireReach, runsAfter } from '../sync/index.ts';
import { sourcesOf } from './other-entities.ts';

/** Statement timeout for what is counted before the rows are read, ms. */
const COUNT_TIMEOUT_MS = 5000;
/** Statistics do not know how many records the later runs touched: a nested loop would compare each with each. */
export const NO_NESTED_LOOPS = 'set local enable_nestloop = off';

/** The records of a template as they were when a run had ended. */
export interface PastRecords {
  set: RecordSet;
  /** Number of records of all entities; a record in several accounts counts for each. */
  records: number;
  /** When the run ended. */
  endedAt: Date;
  /** Builds a statement that reads them under the names of their tables. */
  within(select: SQL): SQL;
  /** Throws if the undo logs that were read are no longer kept. @throws AppError validation-failed, not-found */
  recheck(): Promise<Date>;
}

const number = new Intl.NumberFormat('en');

/** @throws AppError query-too-complex */
function requireFew(count: number): void {
  if (count <= AS_OF_LIMITS.records) return;
  throw new AppError(
    'query-too-complex',
    `The view reads ${number.format(count)} records or changes since this run. As of a run it may read ${number.format(AS_OF_LIMITS.records)}.`,
  );
}

/** @param saved records whose words are computed again @throws AppError query-too-complex */
function requireFewSearched(saved: number): void {
  if (saved <= AS_OF_LIMITS.searchedChanges) return;
  throw new AppError(
    'query-too-complex',
    `${number.format(saved)} records were changed or removed since this run. As of a run, a search may read ${number.format(AS_OF_LIMITS.searchedChanges)} of them as they were. Choose a newer run.`,
  );
}

/** @throws AppError query-too-complex, unavailable */
async function checkPreImages(
  tx: Queryable,
  registry: ConnectorRegistry,
  { set, provider, before }: { set: RecordSet; provider: string; before: RecordsBefore },
): Promise<void> {
  const { extraction } = registry.entity(provider, before.entity);
  const { rows } = await tx.execute<{ count: number; stale: number }>(
    countPreImages(set, before, extraction),
  );
  const { count = 0, stale = 0 } = rows[0] ?? {};
  requireFew(count);
  if (stale > 0)
    throw new AppError(
      'unavailable',
      `The changes of earlier runs are being converted after an upgrade, ${number.format(stale)} are left. Try again in a minute.`,
    );
}

/**
 * Opens the records of a template as they were when a run had ended, by the undo logs of the later runs.
 * @param request.records number of records now @param request.isSearched whether a search selects from them
 * @throws AppError not-found, validation-failed when the undo logs do not reach so far; query-too-complex for more than 100,000
 *   records or changes, and for a search of more than AS_OF_LIMITS.searchedChanges changed records; unavailable while pre-images are extracted again
 */
export async function openPast(
  context: Context,
  registry: ConnectorRegistry,
  set: RecordSet,
  request: {
    entity: EntityDefinition;
    template: TemplateDefinition;
    asOf: string;
    records: number;
    isSearched: boolean;
  },
): Promise<PastRecords> {
  const { db } = context;
  const { entity, template, asOf, records: present, isSearched } = request;
  const entities = sourcesOf(entity.id, template);
  const recheck = () => requireReach(db, { set, entities }, asOf);
  const endedAt = await recheck();
  requireFew(present);
  const derived = isSearched ? pastEntries(entity) : undefined;
  const before = entities.map((one) => ({ entity: one, runs: runsAfter(set, one, asOf), derived }));
  const provider = registry.providerOf(entity.id).key;
  const within = (select: SQL) => withRecordsBefore(set, before, select);
  const records = await readBounded(db, COUNT_TIMEOUT_MS, async (tx) => {
    await tx.execute(sql.raw(NO_NESTED_LOOPS));
    let sum = 0;
    for (const one of before) {
      await checkPreImages(tx, registry, { set, provider, before: one });
      const { rows } = await tx.execute<{ count: number; saved: number }>(countRecordsBefore(set, one));
      const { count = 0, saved = 0 } = rows[0] ?? {};
      if (isSearched) requireFewSearched(saved);
      sum += count;
    }
    return sum;
  });
  requireFew(records);
  return { set, records, endedAt, within, recheck };
}
