import type { CallCounters, CounterReport } from '../carrier/call-counters.ts';
import type { FaultHandle, FaultInjector, FaultSpec } from '../faults/fault-injector.ts';
import type { GithubService } from '../github/github-service.ts';
import type { GmailService } from '../gmail/gmail-service.ts';
import type { GoogleService } from '../google/google-service.ts';
import { type GithubControl, githubControl } from './github-control.ts';
import { type GmailControl, gmailControl } from './gmail-control.ts';
import { type GoogleControl, googleControl } from './google-control.ts';

/** Changes the sandbox from outside, as time and other people change the real providers. */
export interface SandboxControl {
  /** Injects a fault; the catalogue FAULTS lists them. */
  fault(spec: FaultSpec): FaultHandle;
  faults(): FaultHandle[];
  clearFaults(): void;
  /** What was asked and answered since the start or the last reset of the counters. */
  counters(): CounterReport;
  resetCounters(): void;
  google: GoogleControl;
  gmail: GmailControl;
  github: GithubControl;
  /** Back to the beginning: data, faults, counters, quotas, revoked and expired tokens. Good tokens stay good. */
  reset(): void;
}

/** The services that a control acts on. */
export interface Controlled {
  faults: FaultInjector;
  counters: CallCounters;
  google: GoogleService;
  gmail: GmailService;
  github: GithubService;
}

/** The control of a sandbox. */
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
    github: githubControl(parts.github),
    reset() {
      faults.clear();
      counters.reset();
      parts.google.reset();
      parts.gmail.reset();
      parts.github.reset();
    },
  };
}
