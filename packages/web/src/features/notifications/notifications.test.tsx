import type { Notification, Notifications, Webhook } from '@datadeck/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { renderAs, serve } from '../../../test-support/render.tsx';
import { withId } from '../../api/models.ts';
import { NotificationBell } from './notification-bell.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';

const failure: Notification = {
  _id: 'n1',
  created_at: '2026-11-21T10:00:00.000Z',
  title: 'The hourly sync of GitHub pull requests failed',
  message: 'GitHub <b>says</b> no.',
  advice: 'Check the settings.',
  providerId: 'github',
  entityLabel: 'gh-pulls',
  syncId: 's1',
  viewId: null,
  deliveryId: null,
  rows: [],
  isRead: false,
};

function showBell(answer: Notifications) {
  const calls = serve(({ method }) => ({ body: method === 'GET' ? answer : { ok: true } }));
  const onOpen = vi.fn();
  const onRecord = vi.fn();
  renderAs(
    { mayChange: true },
    <NotificationBell onOpen={onOpen} onRecord={onRecord} onWebhook={() => {}} onAlerts={() => {}} />,
  );
  return { calls, onOpen, onRecord };
}

describe('NotificationBell', () => {
  it('counts unread notifications in its label, and opens their subject', async () => {
    const { calls, onOpen } = showBell({ results: [failure], unread: 1 });
    fireEvent.click(await screen.findByRole('button', { name: 'Notifications: 1 unread' }));
    expect(screen.getByRole('dialog', { name: 'Notifications' })).toBeTruthy();
    expect(screen.getByText('GitHub <b>says</b> no.')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: /^Open: The hourly sync/ }));
    await waitFor(() => expect(onOpen).toHaveBeenCalledWith(withId(failure)));
    expect(calls.map(({ method, url }) => `${method} ${url}`)).toContain('POST /api/notifications/n1/read');
  });

  it('names the rows of an alert as text, and opens their records', async () => {
    const rows = [
      { text: '<img src=x> \u202eevil', recordId: '12', account: 'ada' },
      { text: 'total: 3', recordId: null, account: null },
    ];
    const { onRecord } = showBell({ results: [{ ...failure, rows }], unread: 1 });
    fireEvent.click(await screen.findByRole('button', { name: 'Notifications: 1 unread' }));
    const list = screen.getByRole('list', { name: /^Rows/ });
    expect(
      within(list)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(rows.map(({ text }) => text));
    fireEvent.click(within(list).getByRole('button'));
    await waitFor(() =>
      expect(onRecord).toHaveBeenCalledWith(expect.anything(), { recordId: '12', account: 'ada' }),
    );
  });

  it.each([
    [9, '9'],
    [10, '9+'],
    [123, '9+'],
  ])('shows %i unread notifications as %s, with the full number in its name', async (unread, shown) => {
    showBell({ results: [failure], unread });
    const bell = await screen.findByRole('button', { name: `Notifications: ${unread} unread` });
    expect(bell.textContent).toBe(shown);
    expect(within(bell).getByText(shown).getAttribute('aria-hidden')).toBe('true');
    expect(bell.querySelector('svg')).toBeTruthy();
  });

  it('shows no number without unread notifications', async () => {
    showBell({ results: [{ ...failure, isRead: true }], unread: 0 });
    fireEvent.click(screen.getByRole('button', { name: 'Notifications' }));
    expect(await screen.findByText(failure.title)).toBeTruthy();
    expect(screen.getByLabelText('Notifications', { selector: 'button' }).textContent).toBe('');
  });

  it('marks all as read', async () => {
    const { calls } = showBell({ results: [failure], unread: 1 });
    fireEvent.click(await screen.findByRole('button', { name: 'Notifications: 1 unread' }));
    fireEvent.click(screen.getByRole('button', { name: 'Mark all read' }));
    await waitFor(() =>
      expect(calls.map(({ method, url }) => `${method} ${url}`)).toContain('POST /api/notifications/read'),
    );
  });

  it('says that there are no notifications', async () => {
    showBell({ results: [], unread: 0 });
    fireEvent.click(await screen.findByRole('button', { name: 'Notifications' }));
    expect(screen.getByText('No notifications')).toBeTruthy();
  });
});

const NO_WEBHOOK: Webhook = {
  url: '',
  format: 'json',
  last: null,
  email: false,
  emailAddress: 'ada@example.org',
};

/** A screen that opens the webhook dialog again after it was closed. */
function Screen() {
  const [isOpen, setIsOpen] = useState(true);
  return isOpen ? (
    <WebhookDialog onClose={() => setIsOpen(false)} />
  ) : (
    <button type="button" onClick={() => setIsOpen(true)}>
      Webhook…
    </button>
  );
}

describe('WebhookDialog', () => {
  it('asks for confirmation before it discards a typed address', async () => {
    serve(() => ({ body: { ...NO_WEBHOOK } }));
    const onClose = vi.fn();
    renderAs({ mayChange: true }, <WebhookDialog onClose={onClose} />);
    const box = await screen.findByLabelText('Address');
    fireEvent.change(box, { target: { value: 'https://hook.example/' } });
    fireEvent.keyDown(box, { key: 'Escape' });
    expect(await screen.findByRole('alertdialog')).toBeTruthy();
    expect(onClose).not.toHaveBeenCalled();
    fireEvent.click(screen.getByRole('button', { name: 'Confirm' }));
    await waitFor(() => expect(onClose).toHaveBeenCalled());
  });

  it('refuses http addresses, and shows the new secret and the last delivery', async () => {
    const last = {
      at: '2026-11-21T10:00:00.000Z',
      isDelivered: false,
      status: 500,
      message: 'Answered 500.',
    };
    let url = '';
    const calls = serve(({ method }) => {
      if (method === 'PUT') url = 'https://hook.example/';
      return {
        body: {
          ...NO_WEBHOOK,
          url,
          last: url === '' ? null : last,
          ...(method === 'PUT' && { secret: 's3cret' }),
        },
      };
    });

    renderAs({ mayChange: true }, <WebhookDialog onClose={() => {}} />);
    const box = await screen.findByLabelText('Address');
    fireEvent.change(box, { target: { value: 'http://hook.example/' } });
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Must begin with https://')).toBeTruthy();
    expect(calls.filter(({ method }) => method === 'PUT')).toEqual([]);

    fireEvent.change(box, { target: { value: 'https://hook.example/' } });
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByLabelText('Secret')).toMatchObject({ value: 's3cret', readOnly: true });
    expect(await screen.findByText('Answered 500.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Send a test' })).toBeTruthy();
  });

  it('switches mails, and chooses the format of an address', async () => {
    const calls = serve(() => ({ body: { ...NO_WEBHOOK, url: 'https://hook.example/', secret: 's3cret' } }));
    renderAs({ mayChange: true }, <WebhookDialog onClose={() => {}} />);
    fireEvent.click(await screen.findByRole('switch', { name: 'Mail to ada@example.org' }));
    await waitFor(() =>
      expect(calls).toContainEqual(
        expect.objectContaining({ url: '/api/notifications/email', body: { email: true } }),
      ),
    );
    fireEvent.click(screen.getByRole('radio', { name: 'ntfy' }));
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Must end with one topic, such as https://ntfy.sh/my-topic')).toBeTruthy();
    fireEvent.click(screen.getByRole('radio', { name: 'Slack' }));
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(calls).toContainEqual(
        expect.objectContaining({ body: { url: 'https://hook.example/', format: 'slack' } }),
      ),
    );
  });

  it('shows a new secret once, and not after it was closed and opened again', async () => {
    const webhook = { ...NO_WEBHOOK, url: 'https://hook.example/' };
    serve(({ method }) => ({ body: { ...webhook, ...(method === 'PUT' && { secret: 's3cret' }) } }));

    renderAs({ mayChange: true }, <Screen />);
    fireEvent.click(await screen.findByRole('button', { name: 'New secret' }));
    expect(await screen.findByLabelText('Secret')).toHaveProperty('value', 's3cret');

    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Webhook…' }));
    expect(await screen.findByLabelText('Address')).toHaveProperty('value', webhook.url);
    expect(screen.queryByLabelText('Secret')).toBeNull();
    expect(screen.queryByDisplayValue('s3cret')).toBeNull();
  });
});
