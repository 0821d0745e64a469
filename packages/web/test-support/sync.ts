import type { Sync as WireSync } from '@datadeck/contract';
import type { Sync } from '../src/api/models.ts';

/** Returns a sync in the wire's format. */
export function toWireSync({ id, createdAt, updatedAt, summary, ...rest }: Sync): WireSync {
  const { reason, seconds, records, ...counts } = summary;
  return {
    ...rest,
    _id: id,
    created_at: createdAt,
    updated_at: updatedAt,
    summary: {
      ...counts,
      ...(reason !== undefined && { errMessage: reason }),
      ...(seconds !== undefined && { timeElapsed: seconds }),
      ...(records !== undefined && { entitiesSynced: records }),
    },
  };
}
