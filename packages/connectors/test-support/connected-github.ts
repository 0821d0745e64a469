import { type StartedSandbox, startSandbox } from '@datadeck/test-sandbox';
import { githubConnector } from '../src/github/index.ts';
import { Reader } from '../src/sdk/conformance/reading.ts';
import type { ProviderClient } from '../src/sdk/provider-client.ts';

/** A sandbox without quota and a GitHub account that sees private repositories. */
export interface ConnectedGithub {
  sandbox: StartedSandbox;
  /** Returns a reader of a repository, e.g. `aurora-labs/harbor`. */
  reader(repository?: string): Reader;
  client(signal?: AbortSignal): ProviderClient;
  /** Quota units that the sandbox has counted. */
  units(): number;
  reset(): void;
}

/** Starts a sandbox and connects the account ada-nowak. */
export async function connectGithub(): Promise<ConnectedGithub> {
  const sandbox = await startSandbox({ quotaScale: 0 });
  const { control } = sandbox;
  const { githubUrl, githubApiUrl } = sandbox.urls();
  const connector = githubConnector({
    githubUrl,
    apiUrl: githubApiUrl,
    client: sandbox.clients.github,
    unitsPerMinute: Number.POSITIVE_INFINITY,
  });
  let credentials = { accessToken: '', scopes: [] };
  const reset = () => {
    control.reset();
    credentials = { accessToken: control.github.createToken('ada-nowak'), scopes: [] };
  };
  const reader = (repository = 'aurora-labs/harbor') => {
    const [owner = '', repo = ''] = repository.split('/');
    return new Reader({ entity: 'gh-pulls', settings: { owner, repo } }, { connector, credentials });
  };
  reset();
  return {
    sandbox,
    reader,
    client: (signal = new AbortController().signal) => reader().client(signal),
    units: () => control.counters().units['github ada-nowak'] ?? 0,
    reset,
  };
}
