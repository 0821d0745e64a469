import { screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { renderAs, serve } from '../../test-render.tsx';
import { ExampleDialog } from './example-dialog.tsx';

function show() {
  renderAs(
    { mayChange: true },
    <ExampleDialog
      providerId="google"
      entityLabel="gmail-labels"
      entityTitle="Labels"
      settingLabel="Label IDs"
      onClose={() => {}}
    />,
  );
}

describe('ExampleDialog', () => {
  it('shows Loading, then one record, the disabled example value and where there are more', async () => {
    const calls = serve(() => ({ body: { results: [{ id: 'INBOX', name: 'Inbox' }], count: 1 } }));
    show();
    expect(screen.getByText('Loading')).toBeTruthy();
    expect(await screen.findByLabelText('Label IDs')).toMatchObject({ value: 'INBOX', disabled: true });
    expect(screen.getByText(/Data Management/)).toBeTruthy();
    expect(calls[0]?.url).toBe('/api/integrations/entities/mini/google/gmail-labels?limit=1');
  });

  it('says when the entity has not been synced yet', async () => {
    serve(() => ({ body: { results: [], count: 0 } }));
    show();
    expect(await screen.findByText(/has not been synced yet/)).toBeTruthy();
    vi.unstubAllGlobals();
  });
});
