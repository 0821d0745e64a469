import type { ProofCheck } from '@datadeck/contract';
import type { ProofWorld } from './proof-world.ts';

/** How a check ends; `path` replaces that of the check. */
export type Outcome = Pick<ProofCheck, 'outcome' | 'message'> & { path?: string };

/** A behaviour that a document must have. */
export interface Check {
  title: string;
  /** Place in the entity to correct; with a leading `/` in the document. */
  path: string;
  /** Without it, the checks that follow say nothing. */
  isBasic?: true;
  /** Reads from a stand-in in its state of the start. */
  run(world: ProofWorld): Promise<Outcome>;
}

export const PASSED: Outcome = { outcome: 'passed', message: '' };

/** Returns a failed outcome. @param message what went wrong and what to change */
export function failed(message: string, path?: string): Outcome {
  return { outcome: 'failed', message, ...(path !== undefined && { path }) };
}

/** Returns that a check does not apply. @param message why */
export function notApplicable(message: string): Outcome {
  return { outcome: 'not-applicable', message };
}

/** Returns `3 records`, or `1 record`. */
export function records(count: number): string {
  return `${count} ${count === 1 ? 'record' : 'records'}`;
}
