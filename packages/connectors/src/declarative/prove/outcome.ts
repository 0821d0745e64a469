import type { ProofCheck } from '@datadeck/contract';

/** How a check ends; `path` replaces that of the check. */
export type Outcome = Pick<ProofCheck, 'outcome' | 'message'> & { path?: string };

export const PASSED: Outcome = { outcome: 'passed', message: '' };

/** Returns a failed outcome. @param message what went wrong and what to change */
export function failed(message: string, path?: string): Outcome {
  return { outcome: 'failed', message, ...(path !== undefined && { path }) };
}

/** Returns that nothing shows how a check would end. @param message why, and what to do */
export function undecided(message: string): Outcome {
  return { outcome: 'undecided', message };
}

/** Returns that a check does not apply. @param message why */
export function notApplicable(message: string): Outcome {
  return { outcome: 'not-applicable', message };
}
