import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { ACCOUNT, ENTITY_ACCOUNT, SCHEDULE, SETTING } from '../../../test-support/objects.ts';
import { address, entity, open, provider, sync } from '../../../test-support/pages.tsx';
import { type Call, serve } from '../../../test-support/render.tsx';
import { HistoryPage } from './history-page.tsx';
import { SyncsPage } from './syncs-page.tsx';

const TWO = {
  ...provider,
  accounts: [ACCOUNT, { ...ACCOUNT, account: 'ada-work', title: 'Work' }],
};
const MESSAGES = {
  ...entity,
  settings: [{ ...SETTING, defaultValue: 'INBOX' }],
  accounts: [
    { ...ENTITY_ACCOUNT, isDefault: false, lastSettings: { labelIds: 'SENT' }, records: 7 },
    { ...ENTITY_ACCOUNT, account: 'ada-work', title: 'Work', lastSettings: { labelIds: 'STARRED' } },
  ],
};
const OF_ADA = { ...sync, account: 'ada', number: 1, entitySettings: { labelIds: 'SENT' } };
const OF_WORK = {
  ...sync,
  _id: 's2',
  account: 'ada-work',
  number: 2,
  updated_at: '2026-11-21T10:00:00.000Z',
  entitySettings: { labelIds: 'STARRED' },
};

function serveTwo(syncs: readonly unknown[] = [OF_ADA, OF_WORK]): Call[] {
  return serve(({ url, method }) => {
    if (url.includes('/providers')) return { body: [TWO] };
    if (url.includes('/entities')) return { body: [MESSAGES] };
    if (url.includes('/history')) return { body: { results: syncs, count: syncs.length } };
    if (url.endsWith('/schedules'))
      return {
        body: [{ ...SCHEDULE, providerId: 'google', entityLabel: 'gmail-messages', account: 'ada' }],
      };
    if (url.includes('/synchronizations') && method === 'GET') return { body: syncs };
    return { body: OF_ADA };
  });
}

function choose(label: string, option: string) {
  fireEvent.keyDown(screen.getByRole('combobox', { name: label }), { key: 'ArrowDown' });
  fireEvent.click(screen.getByRole('option', { name: option }));
}

describe('SyncsPage with two accounts', () => {
  it('names the account of the latest sync, and filters by account', async () => {
    serveTwo();
    open('/syncs', <SyncsPage />);
    const row = within(
      (await screen.findByRole('button', { name: 'Details of Messages' })).closest('li') as HTMLElement,
    );
    expect(await row.findByText('Work')).toBeTruthy();
    choose('Account', 'ada');
    await waitFor(() => expect(address()).toBe('/syncs?account=ada'));
    expect(screen.queryByText('Work')).toBeNull();
  });

  it('shows receipt, settings and schedule of the chosen account, and starts its sync', async () => {
    const calls = serveTwo();
    open('/syncs?details=gmail-messages', <SyncsPage />);
    expect(await screen.findByRole('region', { name: 'Receipt of #2' })).toBeTruthy();
    const dialog = within(screen.getByRole('dialog', { name: /^Overview/ }));
    expect(dialog.getByLabelText('Label IDs')).toHaveProperty('value', 'STARRED');
    await waitFor(() => expect(dialog.getByRole('radio', { name: 'Off' }).ariaChecked).toBe('true'));

    choose('Account', 'ada');
    expect(await dialog.findByRole('region', { name: 'Receipt of #1' })).toBeTruthy();
    expect(dialog.getByText('Connected · 7 stored records')).toBeTruthy();
    expect(dialog.getByLabelText('Label IDs')).toHaveProperty('value', 'SENT');
    expect(dialog.getByRole('radio', { name: 'Daily' }).ariaChecked).toBe('true');
    fireEvent.click(dialog.getByRole('button', { name: 'Resync' }));
    const startOf = ({ method, url }: Call) => method === 'POST' && url.endsWith('/synchronizations');
    await waitFor(() =>
      expect(calls.find(startOf)?.body).toMatchObject({ account: 'ada', prevSyncId: 's1' }),
    );
  });

  it('disables the start while the chosen account alone is running', async () => {
    serveTwo([OF_ADA, { ...OF_WORK, status: 'started' }]);
    open('/syncs?details=gmail-messages', <SyncsPage />);
    const busy = await screen.findByRole('button', { name: 'Synchronizing' });
    expect(busy).toHaveProperty('disabled', true);
    choose('Account', 'ada');
    expect(await screen.findByRole('button', { name: 'Resync' })).toHaveProperty('disabled', false);
  });
});

describe('HistoryPage with two accounts', () => {
  it('names the account of each sync and filters by account', async () => {
    const calls = serveTwo();
    open('/history', <HistoryPage />);
    expect(await screen.findByText('Work · STARRED')).toBeTruthy();
    choose('Account', 'Work');
    await waitFor(() => expect(calls.at(-1)?.url).toContain('account=ada-work'));
    expect(address()).toBe('/history?account=ada-work');
  });
});
