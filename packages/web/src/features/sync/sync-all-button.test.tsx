import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { ENTITY } from '../../../test-support/objects.ts';
import { provider, sync } from '../../../test-support/pages.tsx';
import { renderAs, serve } from '../../../test-support/render.tsx';
import { SyncAllButton } from './sync-all-button.tsx';

const skip = (account: string) => ({
  providerId: 'google',
  entityLabel: 'gmail-messages',
  account,
  message: 'A sync is already running.',
});

function show(result: unknown, syncs: readonly unknown[], { mayChange = true, status = 200 } = {}) {
  serve(({ url, method }) => {
    if (method === 'POST') return { status, body: result };
    return { body: url.includes('/providers') ? [provider] : syncs };
  });
  renderAs({ mayChange }, <SyncAllButton entities={[ENTITY]} />);
  return screen.getByRole<HTMLButtonElement>('button', { name: 'Sync all' });
}

describe('SyncAllButton', () => {
  it('starts all sources, says which were not, and shows one progress until the last one ends', async () => {
    const running = { ...sync, status: 'started', _id: 's2' };
    const button = show({ started: [sync, running], skipped: [skip('ada')] }, [sync, running]);
    fireEvent.click(button);
    expect(await screen.findByText('2 syncs started')).toBeTruthy();
    expect(await screen.findByText('Not started: Messages (ada): A sync is already running.')).toBeTruthy();
    await waitFor(() => expect(button.textContent).toBe('1 of 2 sources done'));
    expect(button.disabled).toBe(true);
  });

  it('is ready again when all have ended', async () => {
    const button = show({ started: [sync], skipped: [] }, [sync]);
    fireEvent.click(button);
    expect(await screen.findByText('1 sync started')).toBeTruthy();
    await waitFor(() => expect([button.textContent, button.disabled]).toEqual(['Sync all', false]));
  });

  it('names at most three sources, and says what to do when there is none', async () => {
    fireEvent.click(show({ started: [], skipped: ['a', 'b', 'c', 'd', 'e'].map(skip) }, []));
    expect(await screen.findByText(/^Not started: .* And 2 more\.$/)).toBeTruthy();
  });

  it('says that nothing was synchronized before', async () => {
    fireEvent.click(show({ started: [], skipped: [] }, []));
    expect(await screen.findByText(/^Nothing has been synchronized yet/)).toBeTruthy();
  });

  it('shows the sentence of a failure from the server', async () => {
    fireEvent.click(show({ error: { code: 'internal', message: 'It failed.' } }, [], { status: 500 }));
    expect(await screen.findByText('It failed.')).toBeTruthy();
  });

  it('is disabled on the demo plan', () => {
    const button = show({}, [], { mayChange: false });
    expect(button.disabled).toBe(true);
    expect(button.title).toBe('Not available on the demo plan');
  });
});
