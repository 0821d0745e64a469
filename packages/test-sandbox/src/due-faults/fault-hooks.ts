import type { SandboxHooks, SandboxServices } from '@datadeck/sandbox/parts';
import type { CallCounters } from '../control/call-counters.ts';
import type { FaultInjector } from '../faults/fault-injector.ts';
import { addGithubFaults, admitToGithub } from './github-faults.ts';
import { addGmailFaults, admitToGmail } from './gmail-faults.ts';
import { addGithubSignInFaults, addGoogleSignInFaults } from './sign-in-faults.ts';
import { addTransportFaults } from './transport-faults.ts';

/** Returns the hooks that inject due faults into the requests of the sandbox and count them. */
export function faultHooks(
  { google, gmail, github }: SandboxServices,
  faults: FaultInjector,
  counters: CallCounters,
): SandboxHooks {
  const byApi = {
    google: (scope: Scope) => addGoogleSignInFaults(scope, google),
    gmail: addGmailFaults,
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
