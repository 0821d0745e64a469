import { findOrCreateUser, openSession } from '../src/features/accounts/index.ts';
import { Client, type TestServer } from './test-server.ts';

/** Creates a signed-in user of the plan `standard`, without using the provider's pages. */
export async function newUser(server: TestServer, name: string): Promise<Client> {
  const { context } = server.product;
  const identity = { issuer: 'https://test.example', subject: name, email: `${name}@test.example`, name };
  const user = await findOrCreateUser(context, identity, 'google');
  const client = new Client(server);
  client.token = await openSession(context.db, user.id);
  return client;
}
