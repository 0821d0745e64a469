import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { githubConnector } from '@datadeck/connectors/github';
import { PLAN_LIMITS, type UserEntity } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runSync } from '../../test-support/syncing.ts';
import { makeTemporaryFolder } from '../../test-support/temporary-folder.ts';
import { Client, startTestServer, type TestServer } from '../../test-support/test-server.ts';
import { planLimiter, readPlanLimits } from './plan-limits.ts';

const ENTITIES = ['gmail-labels', 'gmail-messages', 'gh-pulls'];
const GITHUB = {
  githubUrl: 'https://github.com',
  apiUrl: 'https://api.github.com',
  client: undefined,
  unitsPerMinute: 900,
};
const folder = makeTemporaryFolder('datadeck-limits-');
const path = join(folder, 'limits.json');
afterAll(() => rmSync(folder, { recursive: true }));

function read(text: string) {
  writeFileSync(path, text);
  return () => readPlanLimits(path, ENTITIES);
}

describe('readPlanLimits', () => {
  it('reads limits, and null for no limit', () => {
    const changes = { standard: { 'gmail-messages': { cap: null, monthlyRuns: 7 } } };
    expect(read(JSON.stringify(changes))()).toEqual(changes);
  });

  it.each([
    ['{"gold": {}}', 'gold: unknown name; expected one of demo, standard, pro'],
    ['{"pro": {"mails": {}}}', 'pro.mails: unknown name; expected one of gmail-labels'],
    ['{"pro": {"gh-pulls": {"max": 1}}}', 'pro.gh-pulls.max: unknown name; expected one of cap, monthlyRuns'],
    [
      '{"pro": {"gh-pulls": {"cap": -1}}}',
      'pro.gh-pulls.cap: -1 is not valid; expected a whole number from 1',
    ],
    ['{"pro": {"gh-pulls": {"cap": 1.5}}}', 'pro.gh-pulls.cap: 1.5 is not valid'],
    ['{"pro": {"gh-pulls": {"cap": 3000000000}}}', 'pro.gh-pulls.cap: 3000000000 is not valid'],
    ['{"pro": {"gh-pulls": {"monthlyRuns": "9"}}}', 'pro.gh-pulls.monthlyRuns: "9" is not valid'],
    ['{"pro": {"gh-pulls": 5}}', 'pro.gh-pulls: expected an object of limits'],
    ['{"pro": []}', 'pro: expected an object of entities'],
    ['[]', 'the file: expected an object of plans'],
    ['{"pro": ', 'is not valid JSON'],
    ['x'.repeat(1_000_001), 'is too large'],
  ])('refuses %.60s with the place and what was expected', (text, sentence) => {
    expect(read(text)).toThrow(sentence);
    expect(read(text)).toThrow(`PLAN_LIMITS=${path}`);
  });

  it('refuses a file that cannot be read', () => {
    expect(() => readPlanLimits(`${path}.none`, ENTITIES)).toThrow(/cannot be read \(ENOENT\)/);
  });
});

const NO_ENTITIES = { known: [], isFormer: () => false, onUnused: () => undefined };

describe('planLimiter', () => {
  it('lifts every limit of every plan by none', () => {
    const unlimited = { cap: null, monthlyRuns: null, scopes: null };
    const { entities } = planLimiter('none', NO_ENTITIES)(githubConnector(GITHUB));
    expect(entities.length).toBeGreaterThan(1);
    for (const { limits } of entities)
      expect(limits).toEqual({ demo: unlimited, standard: unlimited, pro: unlimited });
  });

  it('reads a file called none by a path', () => {
    expect(() => planLimiter('./none', NO_ENTITIES)).toThrow(/cannot be read/);
  });
});

describe('a server with PLAN_LIMITS', () => {
  let server: TestServer;
  let ada: Client;

  beforeAll(async () => {
    const unlimited = { cap: null, monthlyRuns: null };
    const changes = { standard: { 'gmail-messages': unlimited, 'gmail-labels': { cap: 3, monthlyRuns: 1 } } };
    writeFileSync(path, JSON.stringify(changes));
    server = await startTestServer({ PLAN_LIMITS: path });
    ada = await new Client(server).signIn('ada.nowak@sandbox.example');
    await ada.connect('google', 'ada.nowak@sandbox.example');
  });
  afterAll(() => server?.remove());

  async function entity(id: string): Promise<UserEntity | undefined> {
    return (await ada.json<UserEntity[]>('GET', '/api/integrations/entities')).find((one) => one.id === id);
  }

  it('stores all messages without a cap, and reports no limit', async () => {
    const { summary, status } = await runSync(ada, 'gmail-messages', { labelIds: 'INBOX' });
    expect(status).toBe('finished');
    expect(summary.entitiesSynced).toBe(summary.total);
    expect(summary).not.toHaveProperty('cap');
    expect(summary).not.toHaveProperty('keptBackTo');
    expect(await entity('gmail-messages')).toMatchObject({ cap: null, usage: { used: 1, allowed: null } });
    const again = await runSync(ada, 'gmail-messages', { labelIds: 'INBOX' });
    expect(again.summary).toMatchObject({ incremental: true, entitiesSynced: summary.total });
    const settings = {
      providerId: 'google',
      entityLabel: 'gmail-messages',
      entitySettings: { labelIds: 'INBOX' },
    };
    const plan = '/api/integrations/synchronizations/plan';
    expect(await ada.json('POST', plan, settings)).toMatchObject({ cap: null });
  });

  it('applies a smaller cap and number of runs', async () => {
    expect((await runSync(ada, 'gmail-labels')).summary).toMatchObject({ entitiesSynced: 3, cap: 3 });
    expect(await entity('gmail-labels')).toMatchObject({ cap: 3, usage: { used: 1, allowed: 1 } });
    await expect(runSync(ada, 'gmail-labels')).rejects.toThrow(/Your plan allows 1 syncs/);
  });

  it('says how the administrator raises them', async () => {
    await expect(runSync(ada, 'gmail-labels')).rejects.toThrow(
      'The administrator can raise this: `datadeck plan ada.nowak@sandbox.example pro`, or PLAN_LIMITS.',
    );
  });

  it('keeps the limits of the specification where the file names none', async () => {
    const { cap, monthlyRuns } = PLAN_LIMITS['gh-pulls'].standard;
    expect(await entity('gh-pulls')).toMatchObject({ cap, usage: { allowed: monthlyRuns } });
  });
});
