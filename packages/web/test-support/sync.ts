import type { Sync as WireSync } from '@datadeck/contract';
import type { Sync } from '../src/api/wire.ts';

/** Returns a sync as the server sends it. */
export function toWireSync({ createdAt, updatedAt, summary, ...rest }: Sync): WireSync {
  const { reason, seconds, records, ...counts } = summary;
  return {
    ...rest,
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
