import { fireEvent, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderAs, serve } from '../../../test-support/render.tsx';
import { API_TOKEN } from '../../../test-support/token.ts';
import { VIEW } from '../../../test-support/view.ts';
import { NewTokenDialog } from './new-token-dialog.tsx';

async function create(viewId: string | null) {
  const sharePath = viewId === null ? null : '/share/u.t#secret';
  serve(() => ({ status: 201, body: { ...API_TOKEN, viewId, token: 'ddt_secret', sharePath } }));
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
    expect(screen.getByLabelText<HTMLInputElement>('Page address').value).toBe(
      `${location.origin}/share/u.t#secret`,
    );
  });

  it.each([null, 'v'])(
    'shows curl, command line, assistant and feed side by side, for the view %s',
    async (viewId) => {
      await create(viewId);
      const ways = ['curl', 'Command line', 'Assistant (MCP)', 'Page, feed and calendar'];
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
