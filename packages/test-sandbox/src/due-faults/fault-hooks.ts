import type { SandboxHooks, SandboxServices } from '@datadeck/sandbox/parts';
import type { CallCounters } from '../control/call-counters.ts';
import type { FaultInjector } from '../faults/fault-injector.ts';
import { addMicrosoftRefusals, type MicrosoftRefusals } from '../microsoft/microsoft-refusals.ts';
import { addGithubFaults, admitToGithub } from './github-faults.ts';
import { addGmailFaults, admitToGmail } from './gmail-faults.ts';
import { addGithubSignInFaults, addGoogleSignInFaults } from './sign-in-faults.ts';
import { addTransportFaults } from './transport-faults.ts';

/** What the hooks read and count. */
interface HookParts {
  faults: FaultInjector;
  counters: CallCounters;
  refusals: MicrosoftRefusals;
}

/** Returns the hooks that inject due faults into the requests of the sandbox and count them. */
export function faultHooks(
  { google, gmail, microsoft, github }: SandboxServices,
  { faults, counters, refusals }: HookParts,
): SandboxHooks {
  const byApi = {
    google: (scope: Scope) => addGoogleSignInFaults(scope, google),
    gmail: addGmailFaults,
    microsoft: (scope: Scope) => addMicrosoftRefusals(scope, microsoft, refusals),
    'github-oauth': (scope: Scope) => addGithubSignInFaults(scope, github),
    github: addGithubFaults,
  };
  return {
    openScope(scope, api) {
      addTransportFaults(scope, api, { faults, counters });
      byApi[api.api](scope);
    },
    admitted(api, request) {
      if (api === 'gmail') admitToGmail(gmail, request);
      else admitToGithub(github, request);
    },
    charged: (api, account, units) => counters.addUnits(`${api} ${account}`, units),
  };
}

type Scope = Parameters<typeof addGmailFaults>[0];
