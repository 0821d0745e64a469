import type { FaultInjector } from '../faults/fault-injector.ts';
import type { Settings } from '../settings/sandbox-options.ts';
import type { CallCounters } from './call-counters.ts';

/** Services that all parts of the sandbox share. */
export interface SandboxContext {
  settings: Settings;
  faults: FaultInjector;
  counters: CallCounters;
}
