import type { FaultHandle, FaultName } from '@datadeck/test-sandbox';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ADA, FaultStage } from '../../../test-support/fault-stage.ts';
import { readSync } from '../../../test-support/syncing.ts';
import { startSync } from '../../features/sync/index.ts';

const UNTIL_REMOVED = Number.POSITIVE_INFINITY;
let stage: FaultStage;

beforeAll(async () => {
  stage = await FaultStage.open();
});
afterAll(() => stage?.close());
beforeEach(() => stage.clear(stage.gmail));

/** Makes every request for the content of these messages fail. */
function failAt(ids: readonly string[], name: FaultName = 'http-500'): FaultHandle {
  const path = new RegExp(`messages/(${ids.join('|')})\\?format=full`);
  return stage.fault({ name, match: { api: 'gmail', path }, times: UNTIL_REMOVED });
}

describe('a sync with unreadable records', () => {
  // @covers drift.gmail-fails-message
  it.each<FaultName>(['http-500', 'html-instead-of-json', 'redirect'])(
    'skips one message on %s, reports it, and requests it again next time',
    async (name) => {
      const { gmail } = stage;
      const [bad = '', ...others] = gmail.ids();
      const fault = failAt([bad], name);
      const skips = { skipped: 1, skippedReasons: { unreadable: 1 } };

      const ended = await stage.run(gmail);
      expect(ended).toMatchObject({
        status: 'finished',
        summary: { added: others.length, entitiesSynced: others.length, total: others.length + 1, ...skips },
      });
      expect(await stage.stored(gmail)).toEqual(others);

      const hits = fault.hits;
      expect(await stage.run(gmail)).toMatchObject({
        status: 'finished',
        summary: { incremental: true, ...skips },
      });
      expect(fault.hits).toBeGreaterThan(hits);

      stage.server.control.clearFaults();
      const healed = await stage.run(gmail);
      expect(healed).toMatchObject({
        status: 'finished',
        summary: { incremental: true, added: 1, skipped: 0 },
      });
      expect(await stage.stored(gmail)).toEqual(gmail.ids());
      expect((await stage.run(gmail)).summary.requests).toBeLessThanOrEqual(3);
    },
  );

  // @covers drift.gmail-fails-message
  it('keeps unreadable messages that are stored and removes deleted ones', async () => {
    const { gmail } = stage;
    await stage.run(gmail);
    const [bad = '', gone = ''] = gmail.ids();
    stage.server.control.gmail.remove(ADA, gone);
    const known = new Set(gmail.ids());
    gmail.insert();
    const [fresh = ''] = gmail.ids().filter((id) => !known.has(id));

    failAt([bad, fresh]);
    stage.fault({ name: 'history-gone' });

    expect(await stage.run(gmail)).toMatchObject({
      status: 'finished',
      summary: {
        incremental: false,
        removed: 1,
        skippedReasons: { unreadable: 2 },
        entitiesSynced: known.size,
      },
    });
    expect(await stage.stored(gmail)).toEqual([...known]);
  });

  // @covers drift.gmail-fails-message
  it('counts kept unreadable messages towards the cap of the plan', async () => {
    const many = stage.label('Capped', 12);
    const { context, registry } = stage.server.product;
    const { rows } = await context.db.execute<{ id: string }>(sql`select id from users`);
    const by = { userId: rows[0]?.id ?? '', plan: 'demo' as const };
    const runCapped = async () => {
      const { provider: providerId, entity: entityLabel, settings: entitySettings } = many;
      const start = { providerId, entityLabel, entitySettings, by };
      const { _id } = await startSync(context, registry, start);
      await stage.untilEnded(_id);
      return readSync(stage.client, _id);
    };

    const cap = 10;
    expect((await runCapped()).summary).toMatchObject({ entitiesSynced: cap });
    const kept = await stage.stored(many);

    failAt(kept.slice(-2));
    stage.fault({ name: 'history-gone' });
    const again = await runCapped();
    expect(again.summary).toMatchObject({ incremental: false, entitiesSynced: cap, added: 0, removed: 0 });
    expect(await stage.stored(many)).toEqual(kept);
  });

  // @covers drift.gmail-fails-message
  it('removes an unreadable message that left the scope', async () => {
    const { gmail } = stage;
    await stage.run(gmail);
    const [bad = ''] = gmail.ids();
    const { labelIds = '' } = gmail.settings;
    failAt([bad]);
    stage.server.control.gmail.changeLabels(ADA, bad, { remove: [labelIds] });
    expect(await stage.run(gmail)).toMatchObject({ status: 'finished', summary: { removed: 1, skipped: 0 } });
    expect(await stage.stored(gmail)).toEqual(gmail.ids());
    stage.server.control.gmail.changeLabels(ADA, bad, { add: [labelIds] });
  });

  // @covers drift.gmail-fails-message
  it('fails when many messages are unreadable', async () => {
    const many = stage.label('Many', 25);
    failAt(many.ids());
    const { status, summary } = await stage.run(many);
    expect(status).toBe('failed');
    expect(summary.errMessage).toContain('Gmail');
    expect(await stage.stored(many)).toEqual([]);
  });

  // @covers drift.github-aborts-page
  it('reads a page that GitHub aborts each time in parts', async () => {
    const harbor = stage.repository('aurora-labs', 'harbor');
    await stage.clear(harbor);
    const whole = /per_page=100.*page=1$|page=1&.*per_page=100/;
    const fault = stage.fault({
      name: 'http-502',
      match: { api: 'github', path: whole },
      times: UNTIL_REMOVED,
    });

    const finished = await stage.run(harbor);
    expect(finished).toMatchObject({ status: 'finished', summary: { incremental: false } });
    expect(fault.hits).toBeGreaterThan(1);
    expect(await stage.stored(harbor)).toEqual(harbor.ids());

    const [changed = 0] = harbor.ids().map(Number);
    stage.server.control.github.changePull('aurora-labs/harbor', changed, { title: 'Changed' });
    expect(await stage.run(harbor)).toMatchObject({
      status: 'finished',
      summary: { incremental: true, updated: 1 },
    });
    await stage.clear(harbor);
  });
});
