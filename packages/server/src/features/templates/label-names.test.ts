import type { UserEntity } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareServer } from '../../../test-support/shared-server.ts';
import { runSync } from '../../../test-support/syncing.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';

type Row = { label: string; name: string };
let server: TestServer;
let ada: Client;
let jonas: Client;

async function signIn(account: string): Promise<Client> {
  const client = await new Client(server).signIn(account);
  await client.connect('google', account);
  return client;
}

beforeAll(async () => {
  server = await shareServer();
  ada = await signIn('ada.nowak@sandbox.example');
  jonas = await signIn('jonas.weber@sandbox.example');
  await runSync(ada, 'gmail-labels');
  await runSync(ada, 'gmail-messages', { labelIds: 'INBOX,SENT' });
  await runSync(jonas, 'gmail-messages', { labelIds: 'INBOX,SENT' });
});
afterAll(() => server?.remove());

/** Returns the rows by label of a page, and of an evaluation. */
async function namesOf(client: Client): Promise<Map<string, string>[]> {
  const [entryCollection, templateKey] = ['gmail-messages', 'messages-by-label'];
  const page = await client.get<{ results: Row[] }>(
    `/api/integrations/entities/aggregation/${entryCollection}/${templateKey}`,
  );
  const query = { entryCollection, templateKey, jsonNataQuery: '$' };
  const evaluated = await client.post<{ results: Row[] }>('/api/data/query', query);
  return [page, evaluated].map(({ results }) => new Map(results.map(({ label, name }) => [label, name])));
}

async function entityOf(client: Client, id: string): Promise<UserEntity | undefined> {
  const entities = await client.get<UserEntity[]>('/api/integrations/entities');
  return entities.find((entity) => entity.id === id);
}

describe('names of labels', () => {
  it('are listed beside the ids of messages by label, in pages and evaluations', async () => {
    const names = await namesOf(ada);
    for (const found of names) {
      const own = [...found].filter(([label]) => label.startsWith('Label_'));
      expect(own.length).toBeGreaterThan(0);
      for (const [label, name] of own) expect(name).not.toBe(label);
    }
  });

  it('are those of the user: labels of another user name nothing', async () => {
    for (const found of await namesOf(jonas)) {
      expect(found.size).toBeGreaterThan(0);
      for (const [label, name] of found) expect(name).toBe(label);
    }
    expect((await entityOf(jonas, 'gmail-messages'))?.valueNames).toBeUndefined();
  });

  it('come with the entity whose settings hold the ids, in the order of the names', async () => {
    const valueNames = (await entityOf(ada, 'gmail-messages'))?.valueNames?.labelIds ?? [];
    expect(valueNames.some(({ id, name }) => id.startsWith('Label_') && id !== name)).toBe(true);
    const names = valueNames.map(({ name }) => name.toLowerCase());
    expect(names).toEqual(names.toSorted());
    expect((await entityOf(ada, 'gmail-labels'))?.valueNames).toBeUndefined();
  });

  it('follow a label that gets another name, although no message changed', async () => {
    const [before] = await namesOf(ada);
    const [id = ''] = [...(before ?? [])].find(([label]) => label.startsWith('Label_')) ?? [];
    server.control.gmail.renameLabel('ada.nowak@sandbox.example', id, 'Renamed label');
    await runSync(ada, 'gmail-labels');
    for (const found of await namesOf(ada)) expect(found.get(id)).toBe('Renamed label');
  });
});
