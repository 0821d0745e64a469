import type { RecordChange, RecordVersions, Sync, SyncChanges } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareServer } from '../../../test-support/shared-server.ts';
import { runSync, SYNCS } from '../../../test-support/syncing.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';

const DOTFILES = { owner: 'ada-nowak', repo: 'dotfiles' };
const NAME = 'ada-nowak/dotfiles';
let server: TestServer;
let ada: Client;

beforeAll(async () => {
  server = await shareServer();
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  await ada.connect('github', 'ada-nowak');
});
afterAll(() => server?.remove());

const changesOf = (sync: Sync, query = '') => ada.get<SyncChanges>(`${SYNCS}/${sync._id}/changes${query}`);
const changeOf = (sync: Sync, id: string) =>
  ada.get<RecordChange>(`${SYNCS}/${sync._id}/changes/record?record=${id}`);
const versionsOf = (id: string) =>
  ada.get<RecordVersions>(`/api/integrations/entities/versions/github/gh-pulls?record=${id}`);

describe('the history of records', () => {
  it('lists the changes of each sync and the versions of each record', async () => {
    const { github } = server.control;
    const first = await runSync(ada, 'gh-pulls', DOTFILES);
    const { added } = first.summary;
    expect(await changesOf(first)).toMatchObject({
      count: added,
      counts: { added, updated: 0, removed: 0 },
      isKept: true,
    });

    const [changed = 0, gone = 0] = github.pullNumbers(NAME);
    github.changePull(NAME, changed, { title: 'A <b>new</b> title' });
    github.removePull(NAME, gone);
    github.insertPull(NAME);
    const second = await runSync(ada, 'gh-pulls', DOTFILES);
    expect(second.summary).toMatchObject({ added: 1, updated: 1, removed: 1 });

    const changes = await changesOf(second);
    expect(changes.results.map(({ kind }) => kind)).toEqual(['updated', 'added', 'removed']);
    expect((await changesOf(second, '?kind=removed')).results).toHaveLength(1);
    expect((await changesOf(second, '?page=2')).results).toEqual([]);

    const [updated, inserted, removed] = changes.results;
    expect(updated?.title).toBe('A <b>new</b> title');
    expect(removed?.title).not.toBe('');

    const change = await changeOf(second, updated?.recordId ?? '');
    expect(change).toMatchObject({ kind: 'updated', after: { title: 'A <b>new</b> title' } });
    expect(change.before).toMatchObject({ number: changed, id: Number(updated?.recordId) });
    expect(await changeOf(second, inserted?.recordId ?? '')).toMatchObject({ before: null });
    expect(await changeOf(second, removed?.recordId ?? '')).toMatchObject({ after: null });

    const kindsAndNumbers = ({ results }: RecordVersions) =>
      results.map(({ kind, sync }) => [kind, sync?.number]);
    expect(kindsAndNumbers(await versionsOf(updated?.recordId ?? ''))).toEqual([
      ['updated', second.number],
      ['added', first.number],
    ]);
    expect(kindsAndNumbers(await versionsOf(removed?.recordId ?? ''))).toEqual([
      ['removed', second.number],
      ['added', first.number],
    ]);

    await ada.json('DELETE', `${SYNCS}/${second._id}`);
    expect(kindsAndNumbers(await versionsOf(removed?.recordId ?? ''))).toEqual([['added', first.number]]);
    const path = `/api/integrations/entities/versions/github/gh-pulls?record=${inserted?.recordId}`;
    expect((await ada.call('GET', path)).status).toBe(404);

    const jonas = await new Client(server).signIn('jonas.weber@sandbox.example');
    expect((await jonas.call('GET', path.replace(/=.*/, `=${updated?.recordId}`))).status).toBe(404);
  });

  it('is kept for more than ten runs while these change few records', async () => {
    const { github } = server.control;
    await ada.json('DELETE', '/api/accounts/delete-data');
    const first = await runSync(ada, 'gh-pulls', DOTFILES);
    const [number = 0] = github.pullNumbers(NAME);
    for (let run = 0; run < 12; run++) {
      github.changePull(NAME, number, { title: `Title ${run}` });
      await runSync(ada, 'gh-pulls', DOTFILES);
    }
    const [changed] = (await changesOf(await lastSync())).results;
    expect((await versionsOf(changed?.recordId ?? '')).results).toHaveLength(13);

    const { db } = server.product.context;
    await db.$client.query(`update syncs set counters = counters || '{"updated": 5000}' where number = $1`, [
      first.number + 2,
    ]);
    await runSync(ada, 'gh-pulls', DOTFILES);

    expect(await changesOf(first)).toMatchObject({ isKept: false, count: 0 });
    const { results } = await versionsOf(changed?.recordId ?? '');
    expect(results.map(({ kind, sync }) => [kind, sync?.number]).slice(-2)).toEqual([
      ['updated', first.number + 3],
      ['kept', first.number + 2],
    ]);
  });

  async function lastSync(): Promise<Sync> {
    const [last] = await ada.get<Sync[]>(`${SYNCS}?providers=github`);
    return last as Sync;
  }
});
