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
 * Opens the records among which the requested one is; undefined before the provider was first connected.
 * @throws AppError not-found for an unknown entity; validation-failed for an unknown account; unavailable
 */
export async function openRequested(
  { db }: Pick<Context, 'db'>,
  registry: ConnectorRegistry,
  { userId, providerId, entityLabel, account }: RecordRequest,
): Promise<{ entity: EntityDefinition; set: RecordSet } | undefined> {
  const entity = registry.entity(providerId, entityLabel);
  const shown = await findRecordSet(db, registry, { userId, entity: entityLabel, account });
  if (!shown) return undefined;
  const { set } = await openRecords(db, shown, { entity });
  return { entity, set };
}
