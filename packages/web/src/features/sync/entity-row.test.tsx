import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { ACCOUNT, ENTITY_ACCOUNT, SETTING } from '../../../test-support/objects.ts';
import { address, entity, open, provider, sync } from '../../../test-support/pages.tsx';
import { serve } from '../../../test-support/render.tsx';
import { SyncsPage } from './syncs-page.tsx';

const FAILED = {
  ...sync,
  _id: 's2',
  number: 2,
  status: 'failed',
  updated_at: '2026-11-21T10:00:00.000Z',
  summary: { errMessage: 'The provider refused.', added: 12, timeElapsed: 3 },
  entitySettings: { labelIds: 'SENT' },
};

/** Serves messages with these settings of the last sync and these syncs. */
function show(lastSettings: Record<string, string> | null, syncs: readonly unknown[], status = 202) {
  const account = { ...ENTITY_ACCOUNT, account: sync.account, records: 1260, lastSettings };
  const messages = { ...entity, settings: [SETTING], accounts: [account] };
  const calls = serve(({ url, method }) => {
    if (method === 'POST' && url.endsWith('/synchronizations'))
      return { status, body: status === 202 ? sync : { error: { code: 'x', message: 'Not now.' } } };
    if (url.includes('/providers'))
      return { body: [{ ...provider, accounts: [{ ...ACCOUNT, account: sync.account }] }] };
    if (url.endsWith('/entities')) return { body: [messages] };
    return { body: url.includes('/synchronizations') ? syncs : [] };
  });
  open('/syncs', <SyncsPage />);
  return () => calls.filter(({ method, url }) => method === 'POST' && url.endsWith('/synchronizations'));
}
const row = async () =>
  within((await screen.findByRole('button', { name: 'Sync Messages' })).closest('li') as HTMLElement);

describe('EntityRow', () => {
  it('shows what was read, what is stored, the last runs and the reason of a failure', async () => {
    show({ labelIds: 'SENT' }, [sync, FAILED]);
    const shown = await row();
    expect(shown.getByText('SENT')).toBeTruthy();
    expect(shown.getByText('1,260 records')).toBeTruthy();
    expect(shown.getByText('+12')).toBeTruthy();
    expect(shown.getByRole('img', { name: 'Last 2 runs: 1 finished, 1 failed' })).toBeTruthy();
    expect(shown.getByTitle('The provider refused.').textContent).toBe('Failed: The provider refused.');
    expect(shown.getByText(/ago$/).title).toBe(FAILED.updated_at);
  });

  it('starts a sync with the stored settings, and says why it could not', async () => {
    const starts = show({ labelIds: 'SENT' }, [FAILED], 409);
    fireEvent.click((await row()).getByRole('button', { name: 'Sync Messages' }));
    expect(await screen.findByText('Synced unsuccessfully')).toBeTruthy();
    expect(screen.getByTitle('Not now.').textContent).toBe('Not started: Not now.');
    expect(starts()[0]?.body).toMatchObject({ prevSyncId: 's2', entitySettings: { labelIds: 'SENT' } });
  });

  it('opens the details while settings are missing', async () => {
    const starts = show(null, []);
    fireEvent.click((await row()).getByRole('button', { name: 'Sync Messages' }));
    await waitFor(() => expect(address()).toBe('/syncs?details=gmail-messages'));
    expect(starts()).toEqual([]);
  });
});

describe('the receipt of a finished sync', () => {
  it('leads to the records of the entity', async () => {
    show({ labelIds: 'SENT' }, [sync]);
    fireEvent.click((await row()).getByRole('button', { name: 'Details of Messages' }));
    fireEvent.click(await screen.findByRole('button', { name: 'See 1,260 records' }));
    expect(address()).toBe('/dashboard/data/query?provider=google&entity=gmail-messages&open=results');
  });
});
