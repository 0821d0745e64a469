import type { FaultInjector } from '../faults/fault-injector.ts';
import type { Settings } from '../settings/sandbox-options.ts';
import type { CallCounters } from './call-counters.ts';

/** What every part of the sandbox is given. */
export interface SandboxContext {
  settings: Settings;
  faults: FaultInjector;
  counters: CallCounters;
}
