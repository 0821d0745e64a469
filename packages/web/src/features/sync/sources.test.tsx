import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { ENTITY, ENTITY_ACCOUNT, SCHEDULE, SETTING, SYNC } from '../../../test-support/objects.ts';
import { type Call, renderAs, serve } from '../../../test-support/render.tsx';
import { toWireSync } from '../../../test-support/sync.ts';
import type { Sync } from '../../api/models.ts';
import { SyncDetailsDialog, type SyncDetailsProps } from './sync-details-dialog.tsx';

const NAMES = ['octo/a', 'octo/b', 'octo/c', 'octo/d', 'octo/e', 'octo/f'];
const SOURCE = { scopes: NAMES, since: '2026-01-01' };
const entityWith = (source: typeof SOURCE | null) => ({
  ...ENTITY,
  id: 'gh-pulls',
  title: 'Pull Requests',
  providerId: 'github',
  isMail: false,
  settings: [{ ...SETTING, propKey: 'owner', label: 'Owner' }],
  scopes: { one: 'repository', many: 'repositories', limit: 100 },
  account: { ...ENTITY_ACCOUNT, source },
  accounts: [{ ...ENTITY_ACCOUNT, source }],
});
const ENDED: Sync = {
  ...SYNC,
  status: 'finished',
  isLast: true,
  scopes: NAMES,
  summary: {
    records: 40,
    added: 40,
    since: '2026-01-01',
    scopes: {
      count: 12,
      failedCount: 2,
      failed: [
        { name: 'octo/a', message: 'octo/a: It does not exist.' },
        { name: 'octo/b', message: 'octo/b: It does not exist.' },
      ],
      cutCount: 3,
      cut: ['octo/x', 'octo/y'],
    },
  },
};
const PLAN = {
  ...{ incremental: false, total: 42, records: 42, requests: 8, units: 8, unitsPerMinute: null },
  ...{ seconds: 1, cap: 500, waitUntil: null },
  scopes: {
    count: 6,
    estimated: 6,
    results: [
      { name: 'octo/a', total: 12, records: 7, message: null },
      { name: 'octo/b', total: null, records: 0, message: 'octo/b: It does not exist.' },
    ],
    cutCount: 0,
    cut: [],
  },
};

/** What the list of entities answers. */
let entities: unknown[] = [];

function answer({ url, method }: Call): { status?: number; body: unknown } {
  if (url.endsWith('/plan')) return { body: PLAN };
  if (url.endsWith('/entities')) return { body: entities };
  if (url.endsWith('/schedules') && method === 'POST') return { status: 201, body: SCHEDULE };
  if (url.includes('/timetable')) return { body: { nextTimes: [], runsPerMonth: 30 } };
  if (url.endsWith('/verify'))
    return {
      body: {
        ...{ checkedAt: '', provider: 42, stored: 42, missing: 1, gone: 0 },
        scopes: {
          count: 6,
          compared: 5,
          results: [
            { name: 'octo/c', missing: 1, gone: 0, message: null },
            { name: 'octo/b', missing: 0, gone: 0, message: 'octo/b: It does not exist.' },
          ],
        },
      },
    };
  if (url.includes('/scopes'))
    return {
      body: {
        results: [
          { name: 'octo/b', status: 'failed', message: 'octo/b: It is gone.', summary: {} },
          { name: 'octo/c', status: 'finished', message: null, summary: { added: 2, entitiesSynced: 9 } },
          { name: 'octo/d', status: 'waiting', message: null, summary: {} },
        ],
        count: 3,
      },
    };
  if (method === 'POST') return { status: 202, body: toWireSync({ ...ENDED, status: 'started' }) };
  return { body: method === 'PUT' ? { ...SCHEDULE, ok: true } : [] };
}

function show(change: Partial<SyncDetailsProps> = {}, source: typeof SOURCE | null = SOURCE) {
  const calls = serve(answer);
  renderAs(
    { mayChange: true },
    <SyncDetailsDialog entity={entityWith(source)} providerTitle="GitHub" onClose={() => {}} {...change} />,
  );
  return (part: string) => calls.find(({ url, method }) => url.endsWith(part) && method !== 'GET')?.body;
}
const click = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));

describe('a source of chosen repositories', () => {
  it('is shown instead of the fields, and is what plan, start and schedules ask for', async () => {
    const bodyOf = show({ schedules: [] });
    expect(
      screen.getByText('6 repositories: octo/a, octo/b, octo/c and 3 more · since Jan 1, 2026'),
    ).toBeTruthy();
    expect(screen.queryByLabelText('Owner')).toBeNull();
    await screen.findByText(/^This sync: 42 pull requests of 6 repositories, a few seconds/);
    expect(bodyOf('/plan')).toMatchObject({ scopes: [] });
    click('Sync');
    await waitFor(() => expect(bodyOf('/synchronizations')).toMatchObject({ account: 'ada', scopes: [] }));
    expect(bodyOf('/synchronizations')).not.toHaveProperty('entitySettings');
    fireEvent.click(screen.getByRole('radio', { name: 'Daily' }));
    await waitFor(() => expect(bodyOf('/schedules/github/gh-pulls')).toMatchObject({ scopes: [] }));
  });

  it('may be scheduled in part', async () => {
    const bodyOf = show({ schedules: [] });
    click('Add schedule');
    fireEvent.click(await screen.findByRole('checkbox', { name: 'octo/b' }));
    click('Save schedule');
    await waitFor(() => expect(bodyOf('/schedules')).toMatchObject({ scopes: ['octo/b'] }));
  });

  it('is replaced by the fields again', async () => {
    const bodyOf = show();
    click('Use the fields instead');
    await waitFor(() =>
      expect(bodyOf('/sources/github/gh-pulls')).toEqual({ account: 'ada', scopes: [], since: null }),
    );
    expect(await screen.findByText('Syncs use the fields again')).toBeTruthy();
    cleanup();
    show({}, null);
    expect(screen.getByLabelText('Owner')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Choose repositories' })).toBeTruthy();
  });

  it('is taken over from another entity of the account', async () => {
    const issues = { ...entityWith(null), id: 'gh-issues', title: 'Issues' };
    entities = [entityWith(SOURCE), issues];
    const bodyOf = show({ entity: issues });
    fireEvent.click(await screen.findByRole('button', { name: 'Same as Pull Requests' }));
    await waitFor(() => expect(bodyOf('/sources/github/gh-issues')).toEqual({ account: 'ada', ...SOURCE }));
    cleanup();
    entities = [issues];
    show({ entity: issues });
    expect(screen.getByRole('button', { name: 'Choose repositories' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Same as/ })).toBeNull();
  });

  it('is planned by repository', async () => {
    show();
    fireEvent.click(await screen.findByRole('button', { name: 'Details' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'This sync' }));
    expect(dialog.getByText('7 to fetch of 12')).toBeTruthy();
    expect(dialog.getByText('It does not exist.')).toBeTruthy();
  });

  it('shows which repository is being read', () => {
    const scope = { name: 'octo/c', place: 3, count: 12 };
    const progress = { phase: 'fetching' as const, records: 9, total: null, rate: 1, retryAt: null, scope };
    show({ current: { ...ENDED, status: 'started', summary: {}, progress } });
    expect(screen.getByText(/^Reading/).textContent).toBe('Reading octo/c, 3 of 12');
    expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('17');
  });

  it('has a receipt that names what failed and what the plan left out, and lists each repository', async () => {
    show({ last: ENDED });
    const receipt = screen.getByRole('region', { name: 'Receipt of #1' });
    expect(within(receipt).getByText('12 repositories, 2 failed')).toBeTruthy();
    expect(receipt.textContent).toContain('octo/a, octo/b: It does not exist.');
    expect(receipt.textContent).toContain('Your plan left out 3 repositories: octo/x, octo/y and 1 more.');
    expect(receipt.textContent).toContain('Only pull requests updated since Jan 1, 2026.');
    click('All repositories');
    const dialog = within(await screen.findByRole('dialog', { name: 'Repositories of #1' }));
    expect(await dialog.findByText('It is gone.')).toBeTruthy();
    expect(dialog.getByText('9 stored · 2 added')).toBeTruthy();
    expect(dialog.getByText('Not read yet')).toBeTruthy();
  });

  it('is verified by repository', async () => {
    show({ last: ENDED });
    click('Verify');
    expect(await screen.findByText('octo/c')).toBeTruthy();
    const note = screen.getByRole('note').textContent;
    expect(note).toContain('octo/c: 1 not synchronized yet');
    expect(note).toContain('octo/b: It does not exist.');
    expect(note).toContain('Compared: 5 of 6 repositories.');
  });

  it('cannot be changed on the demo plan', () => {
    serve(answer);
    renderAs(
      { mayChange: false },
      <SyncDetailsDialog entity={entityWith(SOURCE)} providerTitle="GitHub" onClose={() => {}} />,
    );
    for (const name of ['Change', 'Use the fields instead'])
      expect(screen.getByRole<HTMLButtonElement>('button', { name }).disabled).toBe(true);
  });
});
