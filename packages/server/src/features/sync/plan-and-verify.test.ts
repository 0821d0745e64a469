import type { Sync, SyncPlan, Verification } from '@datadeck/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { shareServer } from '../../../test-support/shared-server.ts';
import { runSync, SYNCS } from '../../../test-support/syncing.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';
import { secondsFor } from './duration.ts';

const HARBOR = { owner: 'aurora-labs', repo: 'harbor' };
const NAME = 'aurora-labs/harbor';
const EMAIL = 'ada.nowak@sandbox.example';
let server: TestServer;
let ada: Client;

beforeAll(async () => {
  server = await shareServer();
  ada = await new Client(server).signIn(EMAIL);
  await ada.connect('google', EMAIL);
  await ada.connect('github', 'ada-nowak');
});
afterAll(() => server?.remove());
beforeEach(async () => {
  server.control.reset();
  await ada.json('DELETE', '/api/accounts/delete-data');
});

function plan(entityLabel: string, entitySettings: Record<string, string>): Promise<SyncPlan> {
  const providerId = entityLabel.startsWith('gh-') ? 'github' : 'google';
  return ada.post<SyncPlan>(`${SYNCS}/plan`, { providerId, entityLabel, entitySettings });
}

const verify = (sync: Sync) => ada.post<Verification>(`${SYNCS}/${sync._id}/verify`);

describe('POST /api/integrations/synchronizations/plan', () => {
  it('predicts the records and cost of a full sync, which does not exceed them', async () => {
    const pulls = await plan('gh-pulls', HARBOR);
    expect(pulls).toMatchObject({ incremental: false, total: 260, records: 260, cap: 500, waitUntil: null });
    const { summary } = await runSync(ada, 'gh-pulls', HARBOR);
    expect(summary.requests).toBeLessThanOrEqual(pulls.requests);
    expect(summary.units).toBeLessThanOrEqual(pulls.units);
    expect(summary).toMatchObject({ entitiesSynced: 260, total: 260 });

    const mails = await plan('gmail-messages', { labelIds: 'INBOX' });
    const synced = await runSync(ada, 'gmail-messages', { labelIds: 'INBOX' });
    expect(synced.summary.entitiesSynced).toBe(mails.records);
    // A run fetches whole threads where that is cheaper, which the plan does not predict.
    expect(synced.summary.units).toBeLessThanOrEqual(mails.units);
    expect(synced.summary.requests).toBeLessThanOrEqual(mails.requests);
    expect(synced.summary.units).toBeGreaterThan(mails.units / 2);

    const labels = await plan('gmail-labels', {});
    expect(labels).toMatchObject({ records: 10, cap: 10 });
  });

  it('counts the changes of a second sync, at most 3 requests without any', async () => {
    await runSync(ada, 'gh-pulls', HARBOR);
    const quiet = await runSync(ada, 'gh-pulls', HARBOR);
    expect(quiet.summary).toMatchObject({ incremental: true, added: 0, updated: 0, removed: 0, total: 260 });
    expect(quiet.summary.requests).toBeLessThanOrEqual(3);

    const { total, entitiesSynced } = (await runSync(ada, 'gmail-messages', { labelIds: 'INBOX' })).summary;
    const still = await runSync(ada, 'gmail-messages', { labelIds: 'INBOX' });
    expect(still.summary).toMatchObject({ incremental: true, requests: 2, total, entitiesSynced });

    expect(await plan('gmail-messages', { labelIds: 'INBOX' })).toMatchObject({
      incremental: true,
      records: 0,
      units: 3,
    });

    server.control.gmail.insert(EMAIL);
    expect(await plan('gmail-messages', { labelIds: 'INBOX' })).toMatchObject({
      incremental: true,
      records: 1,
      units: 23,
    });
  });

  it('costs two requests for labels of an unchanged mailbox', async () => {
    const first = await runSync(ada, 'gmail-labels');
    expect(await plan('gmail-labels', {})).toMatchObject({
      incremental: true,
      records: 0,
      requests: 2,
      cap: 10,
    });

    const quiet = await runSync(ada, 'gmail-labels');
    const { entitiesSynced, total } = first.summary;
    expect(quiet.summary).toMatchObject({ incremental: true, requests: 2, entitiesSynced, total, cap: 10 });

    server.control.gmail.insert(EMAIL, { labelIds: ['INBOX', 'Label_1'] });
    const after = await runSync(ada, 'gmail-labels');
    expect(after.summary).toMatchObject({ added: 0, removed: 0, entitiesSynced });
    // The person's own labels come first, and one of them has one more message.
    expect(after.summary.updated).toBeGreaterThanOrEqual(1);
    expect(await verify(after)).toMatchObject({ provider: total, stored: entitiesSynced, gone: 0 });
  });

  it('notices a deleted pull request, whose record the next sync removes', async () => {
    await runSync(ada, 'gh-pulls', HARBOR);
    server.control.github.removePull(NAME, server.control.github.pullNumbers(NAME)[40] ?? 0);
    expect(await plan('gh-pulls', HARBOR)).toMatchObject({ total: 259, records: 259 });
    const { summary } = await runSync(ada, 'gh-pulls', HARBOR);
    // The full run reads the changed records again, and each is counted once.
    expect(summary).toMatchObject({ removed: 1, unchanged: 259, entitiesSynced: 259, total: 259 });
  });

  it('refuses invalid settings and reports the error of the provider', async () => {
    const body = { providerId: 'github', entityLabel: 'gh-pulls' };
    const refused = await ada.call('POST', `${SYNCS}/plan`, {
      ...body,
      entitySettings: { owner: '', repo: 'a b' },
    });
    expect([refused.status, await refused.json()]).toMatchObject([
      422,
      { error: { fields: { owner: 'Required' } } },
    ]);

    const missing = await ada.call('POST', `${SYNCS}/plan`, {
      ...body,
      entitySettings: { owner: 'no', repo: 'no' },
    });
    expect([missing.status, await missing.json()]).toMatchObject([
      422,
      { error: { code: 'validation-failed', message: expect.stringContaining('Check owner and name') } },
    ]);
  });

  it('estimates the seconds from the measured pace of the source', async () => {
    const { gmail } = server.control;
    const label = gmail.createLabel(EMAIL, 'Timed');
    for (let age = 0; age < 400; age += 1)
      gmail.insert(EMAIL, { labelIds: [label], date: Date.UTC(2026, 0, 1) - age * 60_000 });
    const first = await plan('gmail-messages', { labelIds: label });
    // Estimating a fixed 0.25 s per message (five at once) would predict 20 s, however fast the provider answers.
    expect(first.requests).toBeGreaterThan(400);
    const { summary } = await runSync(ada, 'gmail-messages', { labelIds: label });
    const secondsPerRequest = (summary.timeElapsed ?? 0) / (summary.requests ?? 1);
    const second = await plan('gmail-messages', { labelIds: 'INBOX' });
    expect(second.incremental).toBe(false);
    expect(second.seconds).toBeCloseTo(second.requests * secondsPerRequest, 0);
  });
});

describe('POST /api/integrations/synchronizations/{id}/verify', () => {
  it('reports missing and removed records', async () => {
    const pulls = await runSync(ada, 'gh-pulls', HARBOR);
    expect(await verify(pulls)).toMatchObject({ provider: 260, stored: 260, missing: 0, gone: 0 });

    for (const number of server.control.github.pullNumbers(NAME).slice(10, 12))
      server.control.github.removePull(NAME, number);
    server.control.github.insertPull(NAME);
    expect(await verify(pulls)).toMatchObject({ provider: 259, stored: 260, missing: 1, gone: 2 });

    const mails = await runSync(ada, 'gmail-messages', { labelIds: 'INBOX,SENT' });
    server.control.resetCounters();
    const verified = await verify(mails);
    expect(verified).toMatchObject({ missing: 0, gone: 0, stored: mails.summary.entitiesSynced });
    // Lists only ids: one request per 500 ids of a label, none per message.
    expect(server.control.counters().units[`gmail ${EMAIL}`]).toBe(10);
  });

  it('lists only the stored part of a label far larger than the cap', async () => {
    const { gmail } = server.control;
    const label = gmail.createLabel(EMAIL, 'Large');
    const ids = Array.from({ length: 1200 }, (_, age) =>
      gmail.insert(EMAIL, { labelIds: [label], date: Date.UTC(2026, 0, 1) - age * 60_000 }),
    );
    const sync = await runSync(ada, 'gmail-messages', { labelIds: label });
    const unitsOf = async (verified: Promise<Verification>) => {
      server.control.resetCounters();
      return { ...(await verified), units: server.control.counters().units[`gmail ${EMAIL}`] };
    };

    // One request for the label's count, one for the first page of its list.
    expect(await unitsOf(verify(sync))).toMatchObject({
      provider: 1200,
      stored: 500,
      missing: 0,
      gone: 0,
      units: 6,
    });

    gmail.remove(EMAIL, ids[250] ?? '');
    expect(await unitsOf(verify(sync))).toMatchObject({
      provider: 1199,
      stored: 500,
      missing: 1,
      gone: 1,
      units: 16,
    });
  });
});

describe('the receipt', () => {
  it('includes the requests before a restart of the run', async () => {
    await runSync(ada, 'gmail-messages', { labelIds: 'INBOX' });
    server.control.gmail.insert(EMAIL);
    server.control.resetCounters();
    server.control.fault({ name: 'history-gone' });
    const { summary } = await runSync(ada, 'gmail-messages', { labelIds: 'INBOX' });
    expect(summary).toMatchObject({ incremental: false, added: 1 });
    const { requests, units } = server.control.counters();
    const sent = Object.entries(requests).filter(([name]) => name.startsWith('gmail '));
    expect(summary.requests).toBe(sent.reduce((sum, [, count]) => sum + count, 0));
    expect(summary.units).toBeGreaterThanOrEqual(units[`gmail ${EMAIL}`] ?? 0);
  });

  it('shows down to which date a failed run is complete', async () => {
    server.control.fault({ name: 'access-blocked', match: { api: 'github' }, afterRequests: 2, times: 99 });
    const failed = await runSync(ada, 'gh-pulls', HARBOR);
    expect(failed.status).toBe('failed');

    const page = await ada.get<{ results: { created_at: string }[]; count: number }>(
      '/api/integrations/entities/aggregation/gh-pulls/pulls-all?page=1',
    );
    expect(page.count).toBeGreaterThan(0);
    const last = await ada.get<{ results: { created_at: string }[] }>(
      `/api/integrations/entities/aggregation/gh-pulls/pulls-all?page=${Math.ceil(page.count / 20)}`,
    );
    expect(Date.parse(failed.summary.completeBackTo ?? '')).toBe(
      Date.parse(last.results.at(-1)?.created_at ?? ''),
    );
  });
});

describe('secondsFor', () => {
  it('uses the quota beyond one minute of it, otherwise the measured pace', () => {
    const gmail = { unitsPerMinute: 6000, concurrency: 5 };
    const pace = { requestSeconds: 0.02, runSeconds: null };
    expect(secondsFor({ requests: 8420, units: 168_000, records: 8400 }, gmail, pace)).toBe(28 * 60);
    expect(secondsFor({ requests: 505, units: 5000, records: 500 }, gmail, pace)).toBeCloseTo(3.5, 1);
    const slow = { requestSeconds: 0.3, runSeconds: null };
    expect(secondsFor({ requests: 505, units: 5000, records: 500 }, gmail, slow)).toBeCloseTo(31.8, 1);
    // The pace of past runs takes precedence over a single measurement.
    expect(
      secondsFor({ requests: 500, units: 5000, records: 500 }, gmail, { ...slow, runSeconds: 0.01 }),
    ).toBe(5);
  });
});
