import type { EntityProof } from './entity-proof.ts';
import type { Outcome } from './outcome.ts';

/** A behaviour that a document must have. */
export interface Check {
  title: string;
  /** Place in the entity to correct; with a leading `/` in the document. */
  path: string;
  /** Without it, the checks that follow say nothing. */
  isBasic?: true;
  /** Reads from a stand-in in its state of the start. */
  run(proof: EntityProof): Promise<Outcome>;
}

/** Returns `3 records`, or `1 record`. */
export function records(count: number): string {
  return `${count} ${count === 1 ? 'record' : 'records'}`;
}
