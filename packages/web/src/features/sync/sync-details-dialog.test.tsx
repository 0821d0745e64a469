import type { UserEntity } from '@datadeck/contract';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { ENTITY, SETTING, SYNC } from '../../../test-support/objects.ts';
import { type Call, renderAs, serve } from '../../../test-support/render.tsx';
import { toWireSync } from '../../../test-support/sync.ts';
import type { Sync } from '../../api/models.ts';
import { SyncDetailsDialog, type SyncDetailsProps } from './sync-details-dialog.tsx';

const entity: UserEntity = {
  ...ENTITY,
  description: '<p>Mail <b>newest</b> first<script>alert(1)</script></p>',
  dependsOn: [{ entity: 'gmail-labels', provider: 'google', title: 'Labels' }],
  settings: [
    {
      ...SETTING,
      defaultValue: 'INBOX',
      pattern: '[A-Za-z0-9_]+(?:,[A-Za-z0-9_]+)*',
      placeholder: 'E.g. CHAT,SENT,Label123',
      errorText: 'Please enter a valid label ID',
    },
  ],
  usage: { ...ENTITY.usage, used: 3 },
};

const last: Sync = {
  ...SYNC,
  id: 'last',
  number: 4,
  providerId: 'google',
  entityLabel: 'gmail-messages',
  status: 'failed',
  summary: { reason: 'The provider refused.' },
  entitySettings: { labelIds: 'SENT' },
  isLast: true,
};
const running: Sync = { ...last, id: 'run', status: 'started' };

function show(change: Partial<SyncDetailsProps> = {}, mayChange = true) {
  renderAs(
    { mayChange },
    <SyncDetailsDialog
      entity={entity}
      providerTitle="Gmail"
      onClose={() => {}}
      onHelp={() => {}}
      {...change}
    />,
  );
}
const PLAN = {
  incremental: false,
  total: 8400,
  records: 500,
  requests: 505,
  units: 10_007,
  unitsPerMinute: 6000,
  seconds: 100.07,
  cap: 500,
  waitUntil: null,
};
const isPlan = ({ url }: Call) => url.endsWith('/synchronizations/plan');

/** Answers the calls, except those for the plan, which get a fixed response. @returns the other calls */
function serveSyncs(answer: Parameters<typeof serve>[0]): () => Call[] {
  const calls = serve((call) => (isPlan(call) ? { body: PLAN } : answer(call)));
  return () => calls.filter((call) => !isPlan(call));
}
const button = (name: string) => screen.queryByRole('button', { name });

describe('SyncDetailsDialog', () => {
  // @covers 2.last-receipt-stays
  it('shows the last receipt below a running sync', () => {
    serveSyncs(() => ({ body: [] }));
    show({ current: running, last });
    const receipt = screen.getByRole('region', { name: 'Receipt of #4' });
    expect(receipt.textContent).toContain('The provider refused.');
    const stop = screen.getByRole('button', { name: 'Stop' });
    expect(stop.compareDocumentPosition(receipt) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
    expect(button('Verify')).toBeNull();
  });

  // @covers 2.details-dialog-overview
  it('shows title and usage in its header, and no script of the description', () => {
    show();
    const dialog = screen.getByRole('dialog', { name: /^Overview/ });
    const header = within(dialog.querySelector('header') as HTMLElement);
    expect(header.getByText('Messages')).toBeTruthy();
    expect(header.getByText('Limit: 3/50')).toBeTruthy();
    expect(document.querySelector('script')).toBeNull();
  });

  // @covers 2.sync-details-cards
  it('shows three cards, with the start button in the footer', () => {
    show({ last });
    expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
      'Details',
      'Last synchronization',
      'Settings',
    ]);
    const start = screen.getByRole('button', { name: 'Resync' });
    expect(start.closest('footer')).toBeTruthy();
    expect(button('Example for Label IDs')).toBeTruthy();
  });

  // @covers 5.empty-required-setting 5.setting-off-pattern 5.settings-validated-change 7.start-sync-body
  // @covers 8.sync-started-successfully
  it('validates on change and on submit, and starts with the specified body', async () => {
    const calls = serveSyncs(() => ({ status: 202, body: toWireSync(running) }));
    show({ last });

    const box = screen.getByLabelText('Label IDs');
    fireEvent.change(box, { target: { value: 'bad label!' } });
    expect(await screen.findByText('Invalid Pattern')).toBeTruthy();
    expect(screen.getByText('Please enter a valid label ID')).toBeTruthy();
    fireEvent.change(box, { target: { value: '' } });
    expect(await screen.findByText('Required')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Resync' }));

    fireEvent.change(box, { target: { value: 'INBOX,SENT' } });
    await waitFor(() => expect(screen.queryByText('Required')).toBeNull());
    expect(calls()).toEqual([]);
    fireEvent.click(screen.getByRole('button', { name: 'Resync' }));
    expect(await screen.findByText('Sync started successfully')).toBeTruthy();

    expect(calls()[0]).toEqual({
      method: 'POST',
      url: '/api/integrations/synchronizations',
      body: {
        providerId: 'google',
        entityLabel: 'gmail-messages',
        prevSyncId: 'last',
        generalSettings: { overwrite: true, limit: 500, many: true },
        entitySettings: { labelIds: 'INBOX,SENT' },
      },
    });
  });

  // @covers 8.synced-unsuccessfully
  it('reports a refused start', async () => {
    serveSyncs(() => ({
      status: 409,
      body: { error: { code: 'sync-running', message: 'One is running.' } },
    }));
    show();
    fireEvent.click(screen.getByRole('button', { name: 'Sync' }));
    expect(await screen.findByText('Synced unsuccessfully')).toBeTruthy();
    expect(screen.getByText('One is running.')).toBeTruthy();
  });

  // @covers 4.one-error-one-place
  it('does not say that a sync started that has failed already', async () => {
    const calls = serveSyncs(() => ({ status: 202, body: toWireSync({ ...running, id: 'last' }) }));
    show({ last });
    fireEvent.click(screen.getByRole('button', { name: 'Resync' }));
    await waitFor(() => expect(calls()).toHaveLength(1));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(screen.queryByText('Sync started successfully')).toBeNull();
  });

  // @covers 4.one-error-one-place
  it('shows the reason of a failure once, also when the plan fails for it', async () => {
    serve(() => ({ status: 422, body: { error: { code: 'x', message: 'The provider refused.' } } }));
    show({ last });
    expect(await screen.findByText(/This sync would fail again/)).toBeTruthy();
    expect(screen.getAllByText(/The provider refused/)).toHaveLength(1);
  });

  // @covers 4.receipt-names-scope
  it('names what the running and the last sync read', () => {
    show({ current: { ...running, entitySettings: { labelIds: 'INBOX,Label_7' } }, last });
    expect(screen.getByText('INBOX,Label_7')).toBeTruthy();
    expect(screen.getByText('SENT')).toBeTruthy();
  });

  // @covers 5.boolean-tip
  it('shows the tip of a boolean setting', () => {
    const [text] = entity.settings;
    const settings = text
      ? [{ ...text, type: 'boolean' as const, required: false, tip: 'Also drafts.' }]
      : [];
    show({ entity: { ...entity, settings } });
    expect(screen.getByRole('switch', { name: 'Label IDs' })).toBeTruthy();
    expect(screen.getByText('Also drafts.')).toBeTruthy();
  });

  // @covers 5.entity-dependencies-needs
  it('does not start an entity that has dependencies but no settings', async () => {
    const calls = serveSyncs(() => ({ body: toWireSync(running) }));
    show({ entity: { ...entity, settings: [] } });
    fireEvent.click(screen.getByRole('button', { name: 'Sync' }));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(calls()).toEqual([]);
  });

  // @covers 2.delete-last-sync
  it('shows Synchronizing and hides Delete while a sync runs', () => {
    show({ current: running, last });
    expect(screen.getByRole('button', { name: 'Synchronizing' })).toHaveProperty('disabled', true);
    expect(button('Delete')).toBeNull();
  });

  it.each([
    ['gmail-labels', 1000],
    ['gmail-messages', 300],
    ['gh-pulls', 300],
  ])('hides the start button of %s at the %i runs of the pro plan, not before', (id, allowed) => {
    const usage = { ...entity.usage, allowed };
    show({ entity: { ...entity, id, usage: { ...usage, used: allowed - 1 } } });
    expect(button('Sync')).toHaveProperty('disabled', false);
    cleanup();
    show({ entity: { ...entity, id, usage: { ...usage, used: allowed } } });
    expect(button('Sync')).toBeNull();
    expect(
      screen.getByText(`Limit: ${allowed.toLocaleString('en-US')}/${allowed.toLocaleString('en-US')}`),
    ).toBeTruthy();
  });

  it('hides the start button at the limit', () => {
    show({ entity: { ...entity, usage: { ...entity.usage, used: 50 } } });
    expect(button('Sync')).toBeNull();
  });

  // @covers 4.delete-last-sync 8.last-synchronization-data-deleted 8.confirmation-delete-last
  it('deletes the last sync after a confirmation', async () => {
    const calls = serveSyncs(() => ({ body: { ok: true } }));
    show({ last: { ...last, summary: { added: 10, updated: 1, removed: 0 } } });
    fireEvent.click(screen.getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('The latest synchronized data will be deleted.')).toBeTruthy();
    expect(
      screen.getByText('Undo this run: 10 added records go, 1 updated record changes back.'),
    ).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Confirm' }));
    expect(await screen.findByText('Last synchronization data was deleted successfully')).toBeTruthy();
    expect(calls()[0]).toMatchObject({ method: 'DELETE', url: '/api/integrations/synchronizations/last' });
  });

  // @covers 8.last-synchronization-data
  it('reports a failed deletion', async () => {
    serveSyncs(() => ({ status: 500, body: {} }));
    show({ last });
    fireEvent.click(screen.getByRole('button', { name: 'Delete' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Confirm' }));
    expect(await screen.findByText('Last synchronization data deletion was unsuccessful')).toBeTruthy();
  });

  // @covers 6.start-delete-last
  it('disables start and delete on a plan that does not allow changes', () => {
    show({ last }, false);
    expect(screen.getByRole('button', { name: 'Resync' })).toHaveProperty('disabled', true);
    expect(screen.getByRole('button', { name: 'Delete' })).toHaveProperty('disabled', true);
  });

  it('shows the plan of a sync, and requests none for invalid settings', async () => {
    const calls = serve(() => ({ body: PLAN }));
    show();
    expect(
      await screen.findByText('This sync: 500 messages, about 2 min; your plan stops at 500 of 8,400.'),
    ).toBeTruthy();
    expect(calls.map(({ body }) => body)).toEqual([
      { providerId: 'google', entityLabel: 'gmail-messages', entitySettings: { labelIds: 'INBOX' } },
    ]);
    fireEvent.change(screen.getByLabelText('Label IDs'), { target: { value: 'no good' } });
    await waitFor(() => expect(screen.queryByText(/your plan stops/)).toBeNull());
    expect(calls).toHaveLength(1);
  });

  it('verifies the last sync with the provider', async () => {
    const verification = {
      checkedAt: '2026-11-21T00:00:00.000Z',
      provider: 60,
      stored: 59,
      missing: 2,
      gone: 1,
    };
    const calls = serveSyncs(() => ({ body: verification }));

    show({ last });
    fireEvent.click(screen.getByRole('button', { name: 'Verify' }));
    expect(
      await screen.findByText(
        'The provider has changed since the sync: 2 not synchronized yet, 1 deleted at the provider. Start a sync to update.',
      ),
    ).toBeTruthy();
    expect(calls()[0]).toMatchObject({
      method: 'POST',
      url: '/api/integrations/synchronizations/last/verify',
    });
  });

  it('shows the blocked reason and disables the start button', () => {
    show({ last, blockedReason: <p>Connect it again.</p> });
    expect(screen.getByText('Connect it again.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Resync' })).toMatchObject({
      disabled: true,
      title: 'Reconnect the provider first',
    });
    expect(button('Verify')).toBeNull();
  });

  it('omits empty counts in the receipt of a failed sync', () => {
    const none = { records: 0, seconds: 0.01, added: 0, updated: 0, removed: 0, unchanged: 0 };
    show({ last: { ...last, summary: { ...last.summary, ...none, requests: 3, units: 0 } } });
    const terms = screen.getAllByRole('term').map(({ textContent }) => textContent);
    expect(terms).toContain('Requests');
    for (const name of ['Entities synced', 'Time elapsed', 'Added', 'Unchanged'])
      expect(terms).not.toContain(name);
    cleanup();
    show({ last: { ...last, status: 'finished', summary: none } });
    expect(screen.getAllByRole('term').map(({ textContent }) => textContent)).toContain('Added');
  });

  it('explains why fewer records are stored than the provider has', () => {
    const whole = { records: 500, total: 500, cap: 500 };
    const finished: Sync = { ...last, status: 'finished', summary: whole };
    const reasons = () => [
      screen.queryByText(/^Your plan at that time kept/),
      screen.queryByText(/^Skipped: /),
    ];
    const texts = () => reasons().map((reason) => reason?.textContent);

    show({ last: finished });
    expect(texts()).toEqual([undefined, undefined]);
    cleanup();

    const summary = { ...whole, total: 8400, skipped: 2, skippedReasons: { vanished: 2 } };
    show({ last: { ...finished, summary } });
    expect(texts()).toEqual([
      'Your plan at that time kept the first 500 of 8,400.',
      'Skipped: 2 were deleted at the provider while the sync ran.',
    ]);
    cleanup();

    const both = { ...whole, skipped: 4, skippedReasons: { vanished: 1, unreadable: 3 } };
    show({ last: { ...finished, summary: both } });
    expect(screen.getAllByText(/^Skipped: /).map(({ textContent }) => textContent)).toEqual([
      'Skipped: 1 was deleted at the provider while the sync ran.',
      'Skipped: 3 could not be read at the provider. Their stored data is kept; the next sync tries again.',
    ]);
    cleanup();

    const refused = { ...whole, skipped: 1, skippedReasons: { refused: 1 }, skippedIds: ['INBOX/1/42'] };
    show({ last: { ...finished, summary: refused } });
    expect(screen.getByText(/^Skipped: 1 is not stored: the database refuses its content/)).toBeTruthy();
    expect(screen.getByText('Ids of skipped records: INBOX/1/42')).toBeTruthy();
    cleanup();

    const keptBackTo = '2024-03-11T12:00:00.000Z';
    show({ last: { ...finished, summary: { ...whole, total: 8400, keptBackTo } } });
    expect(screen.getByText(/^Your plan at that time kept/).textContent).toMatch(
      /^Your plan at that time kept the newest 500 of 8,400, back to .*2024.*\.$/,
    );
  });

  // @covers 2.old-receipt-speaks
  it('shows the cap of that time in an old receipt', () => {
    const finished: Sync = { ...last, status: 'finished', summary: { records: 10, cap: 10 } };
    show({ last: finished, isHistory: true });
    expect(screen.getByText('up to 10')).toBeTruthy();
    expect(screen.getByLabelText('Limit')).toMatchObject({ value: '10' });
    cleanup();
    show({ last: finished });
    expect(screen.getByText('up to 500')).toBeTruthy();
  });

  // @covers 2.demo-workspace-explains
  it('explains that the sample of a demo workspace exceeds the cap', () => {
    const sample: Sync = { ...last, status: 'finished', summary: { records: 240 } };
    show({ entity: { ...entity, cap: 10 }, last: sample, isSample: true });
    expect(screen.getByText('up to 10 per sync; the sample data contains more')).toBeTruthy();
    cleanup();
    show({ entity: { ...entity, cap: 10 }, last: sample, isSample: true, isHistory: true });
    expect(screen.getByText('the whole sample')).toBeTruthy();
  });

  it('shows usage and limit with thousands separators', () => {
    show({ entity: { ...entity, usage: { ...entity.usage, used: 1000, allowed: 12_000 }, cap: 5000 } });
    expect(screen.getByText('Limit: 1,000/12,000')).toBeTruthy();
    expect(screen.getByLabelText('Limit')).toMatchObject({ value: '5,000' });
  });

  // @covers 2.history-dialog-read 3.summary-failed-sync 6.settings-help-hidden
  it('is read-only in history mode', () => {
    show({ last, isHistory: true });
    expect(button('Resync')).toBeNull();
    expect(button('Delete')).toBeNull();
    expect(button('Verify')).toBeNull();
    expect(button('Example for Label IDs')).toBeNull();
    expect(screen.getByLabelText('Label IDs')).toMatchObject({ value: 'SENT', disabled: true });
    expect(screen.getByText('The provider refused.')).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'Synchronization #4' })).toBeTruthy();
    expect(screen.queryByText('Last synchronization')).toBeNull();
  });

  // @covers 2.general-settings-display 2.general-settings-overwrite
  it('shows the general settings as read-only', () => {
    show();
    expect(screen.getByRole('switch', { name: 'Overwrite' })).toMatchObject({
      disabled: true,
      ariaChecked: 'true',
    });
    expect(screen.getByLabelText('Limit')).toMatchObject({ disabled: true, value: '500' });
    expect(screen.getByRole('switch', { name: 'Many' })).toMatchObject({ disabled: true });
  });
});
