import { fireEvent, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderAs, serve } from '../../../test-support/render.tsx';
import { VIEW } from '../../../test-support/view.ts';
import { NewTokenDialog } from './new-token-dialog.tsx';

const CREATED = {
  _id: 't',
  name: 'Reader',
  scope: 'read',
  viewId: null as string | null,
  parameters: null,
  rowBudget: null,
  rowsUsed: 0,
  createdAt: '2026-11-20T10:00:00.000Z',
  expiresAt: '2026-12-20T10:00:00.000Z',
  lastUsedAt: null,
  token: 'ddt_secret',
};

async function create(viewId: string | null) {
  serve(() => ({ status: 201, body: { ...CREATED, viewId } }));
  const load = { isLoading: false, isFetching: false, refetch: () => {} };
  renderAs({ mayChange: true }, <NewTokenDialog views={[VIEW]} load={load as never} onClose={() => {}} />);
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Reader' } });
  fireEvent.submit(document.querySelector('form') as HTMLFormElement);
  await screen.findByText('Your new token');
}

describe('NewTokenDialog', () => {
  it('shows the addresses of the feed and the calendar of a token for one view', async () => {
    await create('v');
    const feed = `${location.origin}/api/v1/data/views/feed/v?format=`;
    expect(screen.getByLabelText<HTMLInputElement>('Feed address').value).toBe(
      `${feed}atom&token=ddt_secret`,
    );
    expect(screen.getByLabelText<HTMLInputElement>('Calendar address').value).toBe(
      `${feed}ical&token=ddt_secret`,
    );
  });

  it.each([null, 'v'])(
    'shows curl, command line, assistant and feed side by side, for the view %s',
    async (viewId) => {
      await create(viewId);
      const ways = ['curl', 'Command line', 'Assistant (MCP)', 'Feed and calendar'];
      const texts = ways.map((name) => screen.getByRole('region', { name }).textContent);
      expect(texts[0]).toContain(`curl -H 'Authorization: Bearer ddt_secret' ${location.origin}/api/`);
      expect(texts[1]).toContain(viewId === null ? 'npx datadeck search is:open' : 'npx datadeck view v');
      expect(texts[2]).toContain('"DATADECK_TOKEN": "ddt_secret"');
      expect(texts[3]).toContain(viewId === null ? 'A token for one view' : 'Calendar address');
    },
  );

  it('shows no address for other tokens', async () => {
    await create(null);
    expect(screen.queryByLabelText('Feed address')).toBeNull();
  });
});
