import type { EntityDefinition } from '@datadeck/connectors';
import type { Context } from '../../platform/context/index.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { openRecords } from './open-records.ts';
import { findRecordSet, type RecordSet } from './record-set.ts';

/** A record that a person asks for: its newest copy, or the one in the named account. */
export interface RecordRequest {
  userId: string;
  providerId: string;
  entityLabel: string;
  /** Absent or empty: all accounts. */
  account?: string | undefined;
  record: string;
}

/**
 * Opens the records in which a requested one is to be found: those of all shown accounts, or of the named one. Whether it
 * exists is not checked. Undefined if no account is named and the provider was never connected.
 * @throws AppError not-found for an unknown provider or entity; validation-failed for an account that is unknown or not shown;
 *   unavailable when the backfill takes too long
 */
export async function openRecordsFor(
  { db }: Pick<Context, 'db'>,
  registry: ConnectorRegistry,
  { userId, providerId, entityLabel, account }: Omit<RecordRequest, 'record'>,
): Promise<{ entity: EntityDefinition; set: RecordSet } | undefined> {
  const entity = registry.entity(providerId, entityLabel);
  const shown = await findRecordSet(db, registry, { userId, entity: entityLabel, account });
  if (!shown) return undefined;
  const { set } = await openRecords(db, shown, { entity });
  return { entity, set };
}
