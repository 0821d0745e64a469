import { type StartedSandbox, startSandbox } from '@datadeck/test-sandbox';
import { googleConnector } from '../src/google/index.ts';
import type { Credentials } from '../src/sdk/index.ts';
import { authorize } from './consent.ts';

/** A sandbox without quota, and the Gmail connector with the credentials of one of its accounts. */
export interface ConnectedGmail {
  sandbox: StartedSandbox;
  connector: ReturnType<typeof googleConnector>;
  credentials: Credentials;
}

/** Starts a sandbox and connects an account. The caller closes the sandbox. @param options of the sandbox */
export async function connectGmail(
  account: string,
  options: Parameters<typeof startSandbox>[0] = {},
): Promise<ConnectedGmail> {
  const sandbox = await startSandbox({ quotaScale: 0, ...options });
  const { googleIssuer: issuer, gmailApiUrl: apiUrl } = sandbox.urls();
  const client = sandbox.clients.google;
  const connector = googleConnector({ issuer, apiUrl, client, unitsPerMinute: Number.POSITIVE_INFINITY });
  const { credentials } = await authorize(connector.authorization, { account });
  return { sandbox, connector, credentials };
}
