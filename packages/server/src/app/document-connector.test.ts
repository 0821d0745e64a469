import { gitlabSubject } from '@datadeck/connectors/test-support/gitlab';
import type { Provider } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runSyncOf } from '../../test-support/syncing.ts';
import { Client, startTestServer, type TestServer } from '../../test-support/test-server.ts';

const ENTITY = 'gitlab-merge-requests';
const subject = gitlabSubject(ENTITY);
let service: Awaited<ReturnType<typeof subject.start>>;
let server: TestServer;
let ada: Client;

const sync = () =>
  runSyncOf(ada, { providerId: 'gitlab', entityLabel: ENTITY, entitySettings: subject.settings });

async function rowsOf(template: string): Promise<Record<string, unknown>[]> {
  const path = `/api/integrations/entities/aggregation/${ENTITY}/${template}`;
  return (await ada.get<{ results: Record<string, unknown>[] }>(path)).results;
}

/** Each test continues from the state of the previous one. */
describe('a connector that is a document', () => {
  beforeAll(async () => {
    service = await subject.start();
    server = await startTestServer({ GITLAB_URL: service.connector.apiUrl ?? '' });
    ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  });
  afterAll(async () => {
    await service?.close();
    await server?.remove();
  });

  it('is connected by its form, and refuses a wrong secret at its field', async () => {
    const path = '/api/integrations/connections/gitlab';
    const refused = await ada.call('POST', path, { values: { token: 'wrong' } });
    expect(refused.status).toBeGreaterThanOrEqual(400);
    const text = await refused.text();
    expect(JSON.parse(text)).toMatchObject({ error: { fields: { token: expect.any(String) } } });
    expect(text).not.toContain('wrong"');
    await ada.post(path, { values: { token: service.credentials.accessToken } });
    const providers = await ada.get<Provider[]>('/api/integrations/providers');
    expect(providers.find(({ key }) => key === 'gitlab')).toMatchObject({ title: 'GitLab' });
  });

  it('stores its records in a table of its own, which templates, search and readings know', async () => {
    expect(await sync()).toMatchObject({ status: 'finished' });
    const ids = await service.listIds();
    const entity = service.connector.entities.find(({ id }) => id === ENTITY);
    expect(entity?.templates.length).toBeGreaterThan(3);
    for (const { key } of entity?.templates ?? []) expect((await rowsOf(key)).length, key).toBeGreaterThan(0);
    const [newest] = await rowsOf('gitlab-mrs-all');
    expect(String(newest?.id)).toBe(ids[0]);
    const title = String(newest?.title);
    const found = await ada.get<{ results: { title: { text: string }[] }[] }>(
      `/api/data/search?q=${encodeURIComponent(`"${title}"`)}&order=newest&page=1`,
    );
    const titles = found.results.map((one) => one.title.map(({ text }) => text).join(''));
    expect(titles).toContain(title);
  });

  it('reads what changed, and ends without changes', async () => {
    const inserted = await service.changes?.insert();
    expect(await sync()).toMatchObject({ status: 'finished' });
    const [newest] = await rowsOf('gitlab-mrs-all');
    expect(String(newest?.id)).toBe(inserted);
    const before = service.spending().units;
    expect(await sync()).toMatchObject({ status: 'finished' });
    expect(service.spending().units - before).toBeLessThan(3);
  });

  it('deletes its data', async () => {
    await ada.post('/api/integrations/entities/delete-all-data?provider=gitlab');
    const { rows } = await server.product.context.db.$client.query(
      'select count(*)::int as n from gitlab_merge_requests',
    );
    expect(rows).toEqual([{ n: 0 }]);
  });
});
