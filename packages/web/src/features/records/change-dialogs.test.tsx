import { fireEvent, screen } from '@testing-library/react';
import { beforeAll, describe, expect, it } from 'vitest';
import { SYNC } from '../../../test-support/objects.ts';
import { renderAs, serve } from '../../../test-support/render.tsx';
import type { Sync } from '../../api/models.ts';
import { RecordHistoryDialog } from './record-history-dialog.tsx';
import { SyncChangesDialog } from './sync-changes-dialog.tsx';

// Load the lazy component before the tests.
beforeAll(() => import('../../ui/difference/difference-view.tsx'));

const sync: Sync = { ...SYNC, number: 4, isLast: true };
const counts = { added: 0, updated: 1, removed: 1 };
const results = [
  { recordId: '1/?&', title: '<img src=x onerror=alert(1)>', kind: 'updated' },
  { recordId: '2', title: '', kind: 'removed' },
];
const change = { kind: 'updated', before: { state: 'open', id: 1 }, after: { state: 'closed', id: 1 } };
const versions = {
  title: 'A title',
  results: [
    { kind: 'updated', sync: { _id: 's1', number: 4, at: '2026-11-20T10:00:00.000Z' } },
    { kind: 'kept', sync: null },
  ],
};

function serveChanges() {
  return serve(({ url }) => {
    if (url.includes('/versions/')) return { body: versions };
    return { body: url.includes('/record?') ? change : { results, counts, count: 2, isKept: true } };
  });
}

describe('SyncChangesDialog', () => {
  it('lists records as plain text, opens their differences and filters by kind', async () => {
    const calls = serveChanges();
    renderAs(
      { mayChange: false },
      <SyncChangesDialog sync={sync} entityTitle="Pull Requests" onClose={() => {}} />,
    );
    expect(screen.getByRole('dialog', { name: 'What changed in #4' })).toBeTruthy();

    const line = await screen.findByRole('button', { name: /Updated.*<img src=x/ });
    expect(screen.getByRole('radio', { name: 'All 2' })).toBeTruthy();
    expect(document.querySelector('img')).toBeNull();

    fireEvent.click(line);
    expect((await screen.findByText('open')).closest('del')).toBeTruthy();
    expect(screen.getByText('closed').closest('ins')).toBeTruthy();
    expect(screen.getByText('state')).toBeTruthy();
    expect(calls.at(-1)?.url).toBe('/api/integrations/synchronizations/s1/changes/record?record=1%2F%3F%26');

    fireEvent.click(screen.getByRole('radio', { name: 'Removed 1' }));
    await screen.findByRole('radio', { name: 'Removed 1', checked: true });
    expect(calls.at(-1)?.url).toContain('kind=removed');
  });

  it('says that the changes are no longer stored', async () => {
    const none = { added: 0, updated: 0, removed: 0 };
    serve(() => ({ body: { results: [], counts: none, count: 0, isKept: false } }));
    renderAs(
      { mayChange: true },
      <SyncChangesDialog sync={sync} entityTitle="Pull Requests" onClose={() => {}} />,
    );
    expect(await screen.findByText('The changes of this sync are no longer stored')).toBeTruthy();
  });
});

describe('Try again', () => {
  const dialogs = {
    'the changes of a sync': <SyncChangesDialog sync={sync} entityTitle="Pull Requests" onClose={() => {}} />,
    'the history of a record': (
      <RecordHistoryDialog providerId="github" entityLabel="gh-pulls" recordId="1" onClose={() => {}} />
    ),
  };

  it.each(Object.entries(dialogs))('reloads %s', async (_, dialog) => {
    serve(() => ({ status: 500, body: {} }));
    renderAs({ mayChange: true }, dialog);
    const again = await screen.findByRole('button', { name: 'Try again' });
    serveChanges();
    fireEvent.click(again);
    expect((await screen.findAllByText(/^(by #4|Updated)$/)).length).toBeGreaterThan(0);
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

describe('RecordHistoryDialog', () => {
  it('names the sync of each version and opens the newest one', async () => {
    serveChanges();
    renderAs(
      { mayChange: true },
      <RecordHistoryDialog providerId="github" entityLabel="gh-pulls" recordId="1" onClose={() => {}} />,
    );
    expect(await screen.findByText('by #4')).toBeTruthy();
    expect(screen.getByText('A title')).toBeTruthy();
    expect((await screen.findByText('open')).closest('del')).toBeTruthy();
    expect(screen.getByText('by a deleted sync')).toBeTruthy();
  });
});
