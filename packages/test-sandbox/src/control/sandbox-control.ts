import type { GithubService, GmailService, GoogleService, MicrosoftService } from '@datadeck/sandbox/parts';
import type { FaultHandle, FaultInjector, FaultSpec } from '../faults/fault-injector.ts';
import type { MicrosoftRefusals } from '../microsoft/microsoft-refusals.ts';
import type { CallCounters, CounterReport } from './call-counters.ts';
import { failingQueries } from './failing-queries.ts';
import { type GithubControl, githubControl } from './github-control.ts';
import { type GmailControl, gmailControl } from './gmail-control.ts';
import { type GoogleControl, googleControl } from './google-control.ts';
import { type MicrosoftControl, microsoftControl } from './microsoft-control.ts';

/** Changes the sandbox from outside, to simulate time and other users. */
export interface SandboxControl {
  /** Injects a fault from the catalogue FAULTS. */
  fault(spec: FaultSpec): FaultHandle;
  faults(): FaultHandle[];
  clearFaults(): void;
  /** Returns the request and response counters since the start or the last reset. */
  counters(): CounterReport;
  resetCounters(): void;
  google: GoogleControl;
  gmail: GmailControl;
  microsoft: MicrosoftControl;
  github: GithubControl;
  /** Resets data, faults, counters, quotas, and revoked and expired tokens. Valid tokens stay valid. */
  reset(): void;
}

/** The services that the control acts on. */
export interface Controlled {
  faults: FaultInjector;
  counters: CallCounters;
  google: GoogleService;
  gmail: GmailService;
  microsoft: MicrosoftService;
  refusals: MicrosoftRefusals;
  github: GithubService;
}

/** Creates the control of a sandbox. */
export function createControl(parts: Controlled): SandboxControl {
  const { faults, counters } = parts;
  return {
    fault: (spec) => faults.add(spec),
    faults: () => faults.list(),
    clearFaults: () => faults.clear(),
    counters: () => counters.report(),
    resetCounters: () => counters.reset(),
    google: googleControl(parts.google),
    gmail: gmailControl(parts.gmail, parts.google.accounts),
    microsoft: microsoftControl(parts.microsoft, parts.refusals),
    github: githubControl(parts.github),
    reset() {
      faults.clear();
      counters.reset();
      parts.google.reset();
      parts.gmail.reset();
      parts.microsoft.reset();
      parts.refusals.reset();
      parts.github.reset();
      failingQueries.delete(parts.github);
    },
  };
}
