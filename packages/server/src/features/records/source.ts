import type { EntityDefinition } from '@datadeck/connectors';

/** One entity of one user's connection. Every statement binds all three ids. */
export interface RecordSource {
  userId: string;
  connectionId: string;
  entity: string;
}

/** Where a run writes: the source, the run's id, and the scope that it fills. */
export interface WriteTarget extends RecordSource {
  syncId: string;
  scope: string;
  /** `listedBy` of the entity's table. */
  listedBy?: string | undefined;
  /** True for a restarted run. Records that it added before the restart count as listed only when it reads them again. */
  isRestart?: boolean;
}

/** The part of an entity's declaration that storage needs. */
export type StoredEntity = Pick<EntityDefinition, 'id' | 'table' | 'extraction' | 'convert' | 'globalIds'>;
