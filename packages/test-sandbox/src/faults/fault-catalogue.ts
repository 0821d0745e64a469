import { AUTHORIZATION_FAULTS } from './authorization-faults.ts';
import { DATA_CHANGE_FAULTS } from './data-change-faults.ts';
import type { FaultEntry } from './fault-entry.ts';
import { LIMIT_FAULTS } from './limit-faults.ts';
import { PAYLOAD_FAULTS } from './payload-faults.ts';
import { TRANSPORT_FAULTS } from './transport-faults.ts';

/** Every fault that can be injected by name, with its effect. */
export const FAULTS = [
  ...AUTHORIZATION_FAULTS,
  ...LIMIT_FAULTS,
  ...TRANSPORT_FAULTS,
  ...DATA_CHANGE_FAULTS,
  ...PAYLOAD_FAULTS,
] as const;

/** The name of an injectable fault. */
export type FaultName = (typeof FAULTS)[number]['name'];

const BY_NAME = new Map<string, FaultEntry>(FAULTS.map((entry) => [entry.name, entry]));

/** Returns the entry of a fault. @throws RangeError for an unknown name, with a similar one */
export function faultEntry(name: string): FaultEntry {
  const found = BY_NAME.get(name);
  if (!found) throw new RangeError(`No fault is called "${name}". Known: ${[...BY_NAME.keys()].join(', ')}`);
  return found;
}
