import { z } from 'zod';
import { readJson, storeJson } from '../../api/json-storage.ts';

const KEY = 'dd-firstSteps';
/** Maximum number of accounts that are remembered; the last ones stay. */
const MAX_ACCOUNTS = 20;

/** open: shown before. closed: dismissed, or the account has had a view. */
const stateSchema = z.enum(['open', 'closed']);
export type StepsState = z.infer<typeof stateSchema>;

const readAll = () => readJson(KEY, {}, (value) => z.record(z.string(), stateSchema).parse(value));

/** Returns what this browser remembers of the first steps of an account. */
export function readSteps(userId: string): StepsState | undefined {
  return readAll()[userId];
}

/** Remembers the state of the first steps of an account. */
export function storeSteps(userId: string, state: StepsState): void {
  const { [userId]: _, ...others } = readAll();
  storeJson(KEY, Object.fromEntries([...Object.entries(others), [userId, state]].slice(-MAX_ACCOUNTS)));
}
