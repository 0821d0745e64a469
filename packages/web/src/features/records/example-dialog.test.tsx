import { fireEvent, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { renderAs, serve } from '../../../test-support/render.tsx';
import { ExampleDialog } from './example-dialog.tsx';

function show(onSync = vi.fn()) {
  renderAs(
    { mayChange: true },
    <ExampleDialog
      providerId="google"
      entityLabel="gmail-labels"
      entityTitle="Labels"
      settingLabel="Label IDs"
      onSync={onSync}
      onClose={() => {}}
    />,
  );
}

describe('ExampleDialog', () => {
  // @covers 2.example-data-loading 7.example-data-limit
  it('shows Loading, then one example in a disabled field and where to find more', async () => {
    const calls = serve(() => ({ body: { results: [{ id: 'INBOX', name: 'Inbox' }], count: 1 } }));
    show();
    expect(screen.getByText('Loading')).toBeTruthy();
    expect(await screen.findByLabelText('Label IDs')).toMatchObject({ value: 'INBOX', disabled: true });
    expect(screen.getByText(/Data Management/)).toBeTruthy();
    expect(calls[0]?.url).toBe('/api/integrations/entities/mini/google/gmail-labels?limit=1');
  });

  it('reloads a failed example on Try again', async () => {
    let fails = true;
    serve(() => (fails ? { status: 500, body: {} } : { body: { results: [{ id: 'INBOX' }], count: 1 } }));
    show();
    const again = await screen.findByRole('button', { name: 'Try again' });
    fails = false;
    fireEvent.click(again);
    expect(await screen.findByLabelText('Label IDs')).toMatchObject({ value: 'INBOX' });
    expect(screen.queryByRole('alert')).toBeNull();
  });

  // @covers 2.example-data-synced
  it('says that the entity has not been synced yet, and leads to it', async () => {
    const onSync = vi.fn();
    serve(() => ({ body: { results: [], count: 0 } }));
    show(onSync);
    expect(await screen.findByText(/^The entity Labels has not been synced yet\./)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Go to Labels' }));
    expect(onSync).toHaveBeenCalledOnce();
    vi.unstubAllGlobals();
  });
});
