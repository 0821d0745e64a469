import type { StartedSandbox } from '@datadeck/test-sandbox';
import { outlookConnector } from '../src/outlook/index.ts';
import type { Connector, Credentials } from '../src/sdk/index.ts';
import { authorize } from './consent.ts';

/** Path of the sandbox's introspection below the address of its identity platform. */
export const INTROSPECTION = '/introspect';

/** Returns the connector of a mail server on this machine, which signs in at the sandbox. */
export function outlookOf(sandbox: StartedSandbox, port: number, tenant = 'common'): Connector {
  return outlookConnector({
    url: sandbox.urls().microsoftUrl,
    tenant,
    client: sandbox.clients.microsoft,
    mailServer: { host: '127.0.0.1', port, security: 'none' },
  });
}

/** Connects an account of the sandbox. */
export async function connectOutlook(
  sandbox: StartedSandbox,
  port: number,
  account: string,
): Promise<{ connector: Connector; credentials: Credentials }> {
  const connector = outlookOf(sandbox, port);
  const { credentials } = await authorize(connector.authorization, { account });
  return { connector, credentials };
}
