import type { Check } from './check.ts';
import { CHANGE_CHECKS } from './checks-of-changes.ts';
import { ANSWER_CHECKS, FAILURE_CHECKS, SECRET_CHECKS } from './checks-of-failures.ts';
import { READING_CHECKS } from './checks-of-reading.ts';

export type { Check } from './check.ts';
export type { Outcome } from './outcome.ts';

/** The checks of each entity, in the order in which a person reads them. */
export const CHECKS: readonly Check[] = [
  ...SECRET_CHECKS,
  ...READING_CHECKS,
  ...CHANGE_CHECKS,
  ...FAILURE_CHECKS,
  ...ANSWER_CHECKS,
];
