import type { Sync } from '@datadeck/contract';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareServer } from '../../../test-support/shared-server.ts';
import { runSync, SYNCS } from '../../../test-support/syncing.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';

const HARBOR = { owner: 'aurora-labs', repo: 'harbor' };
const DOTFILES = { owner: 'ada-nowak', repo: 'dotfiles' };
let server: TestServer;
let ada: Client;

beforeAll(async () => {
  server = await shareServer();
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  await ada.connect('github', 'ada-nowak');
});
afterAll(() => server?.remove());

describe('deleting the last sync', () => {
  it('keeps the cursors of other repositories', async () => {
    await runSync(ada, 'gh-pulls', HARBOR);
    const { _id } = await runSync(ada, 'gh-pulls', DOTFILES);
    await ada.json('DELETE', `${SYNCS}/${_id}`);

    const other = await runSync(ada, 'gh-pulls', HARBOR);
    expect(other).toMatchObject({ status: 'finished', summary: { incremental: true, added: 0, removed: 0 } });
    const undone = await runSync(ada, 'gh-pulls', DOTFILES);
    expect(undone).toMatchObject({ status: 'finished', summary: { incremental: false } });
    expect(undone.summary.added).toBeGreaterThan(0);
  });
});

describe('cancelling a sync', () => {
  it('stores the failure code cancelled', async () => {
    const blocked = server.control.fault({
      name: 'latency',
      match: { api: 'github' },
      times: Number.POSITIVE_INFINITY,
      options: { milliseconds: 3_600_000 },
    });
    const { _id } = await ada.post<Sync>(SYNCS, {
      providerId: 'github',
      entityLabel: 'gh-pulls',
      entitySettings: HARBOR,
    });

    await ada.post(`${SYNCS}/${_id}/cancel`);
    blocked.remove();

    const { rows } = await server.product.context.db.execute(
      sql`select failure from syncs where id = ${_id}`,
    );
    expect(rows).toEqual([{ failure: 'cancelled' }]);
  });
});
