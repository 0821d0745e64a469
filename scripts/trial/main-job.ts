import { runSync } from '../../packages/server/test-support/syncing.ts';
import { Client } from '../../packages/server/test-support/test-server.ts';

/** The repository of the sandbox that the trials synchronise. */
const REPOSITORY = { owner: 'aurora-labs', repo: 'harbor' };

/** Signs in by a printed link, as a browser does. @throws Error when the link does not sign in */
export async function signInByLink(url: string, link: string): Promise<Client> {
  const client = new Client({ url });
  const page = await client.navigator.visit(link);
  const { token } = JSON.parse(page.url.searchParams.get('res') ?? '{}') as { token?: string };
  if (!token) throw new Error(`The link ${link} leads to ${page.url.href}`);
  client.token = token;
  return client.exchange();
}

/** Connects GitHub by a personal access token, and synchronises pull requests. @returns the number stored */
export async function connectAndSync(client: Client, token: string): Promise<number> {
  const connected = await client.call('POST', '/api/integrations/connections/github', { values: { token } });
  if (!connected.ok)
    throw new Error(`GitHub was not connected: ${connected.status} ${await connected.text()}`);
  const { status, summary } = await runSync(client, 'gh-pulls', REPOSITORY);
  if (status !== 'finished') throw new Error(`The sync ended as '${status}': ${summary.errMessage}`);
  return countPulls(client);
}

/** Counts all pull requests with a JSONata expression. */
export async function countPulls(client: Client): Promise<number> {
  const { results } = await client.post<{ results: [number] }>('/api/data/query', {
    entryCollection: 'gh-pulls',
    templateKey: 'pulls-all',
    jsonNataQuery: '$count($)',
  });
  return results[0];
}
