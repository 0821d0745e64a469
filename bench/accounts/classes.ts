import { SYNCS } from '../../packages/server/test-support/syncing.ts';
import type { Client } from '../../packages/server/test-support/test-server.ts';

/** A user of the bench. */
export interface Account {
  id: string;
  client: Client;
  /** Id of the user's view. */
  view: string;
  /** Whether Gmail is connected to the sandbox. */
  hasMail: boolean;
}

const TEMPLATES = '/api/integrations/entities/aggregation/gh-pulls';
const ENTITY = { providerId: 'github', entityLabel: 'gh-pulls', templateKey: 'pulls-all' };
const QUERIES = '/api/data/jnata-queries';

/** Pages that a user opens, by name: reads only. */
export const PAGES: Readonly<Record<string, (account: Account) => string>> = {
  account: () => '/api/accounts',
  entities: () => '/api/integrations/entities',
  'list of syncs': () => `${SYNCS}?providers=google,github`,
  'first page of records': () => `${TEMPLATES}/pulls-all?page=1`,
  'last page of records': () => `${TEMPLATES}/pulls-all?page=50`,
  aggregate: () => `${TEMPLATES}/pulls-by-author?page=1`,
  view: ({ view }) => `/api/data/views/aggregate/${view}?page=1`,
};

/** Creates the view that `PAGES` reads. @returns its id */
export async function createView(client: Client): Promise<string> {
  const view = await client.post<{ _id: string }>('/api/data/views', {
    ...ENTITY,
    title: 'Large',
    description: 'Pull requests with many deletions',
    jsonNataQuery: '$[deletions > 290]',
  });
  return view._id;
}

async function expectOk(response: Promise<Response>, ...also: number[]): Promise<void> {
  const { ok, status } = await response.then(async (one) => {
    await one.arrayBuffer();
    return one;
  });
  if (!ok && !also.includes(status)) throw new Error(`status ${status}`);
}

/** Requests of all classes, by name. A class throws when the answer is not the expected one. */
export const CLASSES: Readonly<Record<string, (account: Account) => Promise<void>>> = {
  ...Object.fromEntries(
    Object.entries(PAGES).map(([name, pathOf]) => [
      name,
      (account: Account) => expectOk(account.client.call('GET', pathOf(account))),
    ]),
  ),
  'query by JSONata': ({ client }) =>
    expectOk(
      client.call('POST', '/api/data/query', {
        entryCollection: 'gh-pulls',
        templateKey: 'pulls-all',
        jsonNataQuery: `$count($[additions > ${Math.floor(Math.random() * 2000)}])`,
      }),
    ),
  'save and delete a query': async ({ client }) => {
    const { _id } = await client.post<{ _id: string }>(QUERIES, {
      title: crypto.randomUUID().slice(0, 18),
      jsonNataQuery: '$',
    });
    await expectOk(client.call('DELETE', `${QUERIES}/${_id}`));
  },
  // 409: the user's last run is not over yet.
  'start a sync': ({ client }) =>
    expectOk(
      client.call('POST', SYNCS, {
        providerId: 'google',
        entityLabel: 'gmail-messages',
        generalSettings: { overwrite: true },
        entitySettings: { labelIds: 'INBOX' },
      }),
      409,
    ),
};
