import type { AuditLog, ConnectorDetail } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client, startTestServer, type TestServer } from '../../test-support/test-server.ts';

const PATH = '/api/admin/connectors/desk';

let server: TestServer;
let ada: Client;
let jonas: Client;

const save = (client: Client, title: string, changedAt: string | null) =>
  client.call('PUT', `${PATH}/draft`, { document: JSON.stringify({ title }), changedAt });
const publish = (client: Client, changedAt: string) => client.call('POST', `${PATH}/publish`, { changedAt });
const discard = (client: Client, changedAt: string) =>
  client.call('DELETE', `${PATH}/draft?changedAt=${changedAt}`);
const read = () => ada.get<ConnectorDetail>(PATH);

async function saved(client: Client, title: string, changedAt: string | null): Promise<string> {
  const response = await save(client, title, changedAt);
  expect(response.status).toBe(200);
  return ((await response.json()) as { draftAt: string }).draftAt;
}

async function expectOutdated(response: Response, sentence: string): Promise<void> {
  expect(response.status).toBe(409);
  expect(await response.json()).toMatchObject({
    error: { code: 'draft-outdated', message: expect.stringContaining(sentence) },
  });
}

/** Each test continues from the state of the previous one. */
describe('a draft that two administrators write', () => {
  beforeAll(async () => {
    server = await startTestServer();
    ada = await new Client(server).signIn('ada.nowak@sandbox.example');
    jonas = await new Client(server).signIn('jonas.weber@sandbox.example');
    await server.product.context.db.$client.query('update users set is_administrator = true');
  });
  afterAll(() => server?.remove());

  it('is created by one of them', async () => {
    await saved(ada, 'Of Ada', null);
    await expectOutdated(await save(jonas, 'Of Jonas', null), 'changed elsewhere');
    expect(await read()).toMatchObject({ title: 'Of Ada', changedBy: 'Ada Nowak' });
  });

  it('is not overwritten by who read an earlier text, and says who changed it', async () => {
    const { changedAt } = await read();
    const next = await saved(jonas, 'Of Jonas', changedAt);
    await expectOutdated(await save(ada, 'Of Ada again', changedAt), 'changed elsewhere');
    expect(await read()).toMatchObject({ title: 'Of Jonas', changedAt: next, changedBy: 'Jonas Weber' });
    await saved(ada, 'Of Ada again', next);
    expect(await read()).toMatchObject({ title: 'Of Ada again', changedBy: 'Ada Nowak' });
  });

  it('lets one of two saves through that come at the same time', async () => {
    const { changedAt } = await read();
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_none, index) =>
        save(index % 2 ? ada : jonas, `At once ${index}`, changedAt),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
  });

  it('is neither published nor discarded by who read an earlier text', async () => {
    const { changedAt } = await read();
    const next = await saved(jonas, 'Of Jonas', changedAt);
    await expectOutdated(await publish(ada, changedAt), 'Nothing was published');
    await expectOutdated(await discard(ada, changedAt), 'Nothing was discarded');
    expect(await read()).toMatchObject({ title: 'Of Jonas', changedAt: next, version: null });
    // The faults of the document are those of a text that was read.
    expect((await publish(ada, next)).status).toBe(422);
  });

  it('needs the time of the text that was read', async () => {
    expect((await ada.call('POST', `${PATH}/publish`, {})).status).toBe(422);
    expect((await ada.call('DELETE', `${PATH}/draft`)).status).toBe(422);
    expect((await read()).title).toBe('Of Jonas');
  });

  it('does not come back by a save after it was discarded', async () => {
    const { changedAt } = await read();
    expect((await discard(ada, changedAt)).status).toBe(200);
    await expectOutdated(await save(jonas, 'Of Jonas', changedAt), 'was deleted');
    expect((await ada.call('GET', PATH)).status).toBe(404);
  });

  it('has entries of the audit log for who takes it over, not for each save', async () => {
    const first = await saved(ada, 'One', null);
    await saved(ada, 'Three', await saved(ada, 'Two', first));
    const { results } = await ada.get<AuditLog>('/api/admin/audit');
    expect(results.slice(0, 2).map(({ action, by }) => [action, by?.name])).toEqual([
      ['connector-edited', 'Ada Nowak'],
      ['connector-discarded', 'Ada Nowak'],
    ]);
  });
});
