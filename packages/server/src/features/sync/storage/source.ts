import type { EntityDefinition } from '@datadeck/connectors';

/** Whose records of which entity: every statement binds all three. */
export interface RecordSource {
  userId: string;
  connectionId: string;
  entity: string;
}

/** What a run writes to: a source, the run, and the scope that it fills. */
export interface WriteTarget extends RecordSource {
  syncId: string;
  scope: string;
  /** The run was restarted: records that it added before count as seen only once it sees them again. */
  isRestart?: boolean;
}

/** What storing records needs to know of their entity. */
export type StoredEntity = Pick<EntityDefinition, 'id' | 'table' | 'extraction'>;
