import type { EntityDefinition, Json } from '../../sdk/index.ts';

/** The reading functions of an entity. */
export type EntityReader = Pick<EntityDefinition, 'read' | 'estimate' | 'listIds'>;

/** A list that is read together with another. */
export interface MergedList {
  reader: EntityReader;
  /** Returns the cursor of a full run that is ended after the page of a checkpoint. */
  cursorAfter(checkpoint: Json): Json;
}
