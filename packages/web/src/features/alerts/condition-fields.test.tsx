import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { ALERT } from '../../../test-support/alert.ts';
import { renderAs, serve } from '../../../test-support/render.tsx';
import { WatchDialog } from './watch-dialog.tsx';

describe('the form of an alert on a number', () => {
  it('requires a value, and sends the condition with the group', async () => {
    const calls = serve(({ method }) =>
      method === 'POST'
        ? { status: 201, body: { ...ALERT, webhookSecret: null } }
        : { body: { results: [], emailAddress: null } },
    );
    renderAs(
      { mayChange: true },
      <WatchDialog view={{ id: 'v', title: 'Open' }} parameters={undefined} onClose={() => {}} />,
    );
    fireEvent.click(await screen.findByRole('radio', { name: 'The number' }));
    expect(screen.queryByRole('switch', { name: 'appear' })).toBeNull();
    fireEvent.click(screen.getByRole('radio', { name: 'falls below' }));
    const save = screen.getByRole('button', { name: /^(Save|Watch|Create)/ });
    fireEvent.click(save);
    expect(await screen.findByText('Required')).toBeTruthy();
    fireEvent.change(screen.getByRole('textbox', { name: /^Value/ }), { target: { value: '-2,5' } });
    fireEvent.change(screen.getByRole('textbox', { name: /^Group/ }), { target: { value: 'open' } });
    fireEvent.click(save);
    await waitFor(() =>
      expect(calls.find(({ method }) => method === 'POST')?.body).toMatchObject({
        viewId: 'v',
        condition: { kind: 'below', value: -2.5, group: 'open' },
      }),
    );
  });
});
