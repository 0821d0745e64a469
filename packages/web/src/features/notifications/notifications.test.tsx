import type { Notification, Notifications } from '@datadeck/contract';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { renderAs, serve } from '../../../test-support/render.tsx';
import { withId } from '../../api/wire.ts';
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
  isRead: false,
};

function showBell(answer: Notifications) {
  const calls = serve(({ method }) => ({ body: method === 'GET' ? answer : { ok: true } }));
  const onOpen = vi.fn();
  renderAs({ mayChange: true }, <NotificationBell onOpen={onOpen} onWebhook={() => {}} />);
  return { calls, onOpen };
}

describe('NotificationBell', () => {
  // @covers 4.bell-webhook-dialog
  it('counts unread notifications in its label, and opens their subject', async () => {
    const { calls, onOpen } = showBell({ results: [failure], unread: 1 });
    fireEvent.click(await screen.findByRole('button', { name: 'Notifications: 1 unread' }));
    expect(screen.getByRole('dialog', { name: 'Notifications' })).toBeTruthy();
    expect(screen.getByText('GitHub <b>says</b> no.')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: /^Open: The hourly sync/ }));
    await waitFor(() => expect(onOpen).toHaveBeenCalledWith(withId(failure)));
    expect(calls.map(({ method, url }) => `${method} ${url}`)).toContain('POST /api/notifications/n1/read');
  });

  // @covers 10.bell-unread-count
  it('shows 9+ for more than nine unread notifications', async () => {
    showBell({ results: [failure], unread: 123 });
    const bell = await screen.findByRole('button', { name: 'Notifications: 123 unread' });
    expect(bell.textContent).toBe('9+');
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

describe('WebhookDialog', () => {
  // @covers 10.webhook-answered-stays
  it('asks for confirmation before it discards a typed address', async () => {
    serve(() => ({ body: { url: '', last: null } }));
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

  // @covers 4.bell-webhook-dialog
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
      return { body: { url, last: url === '' ? null : last, ...(method === 'PUT' && { secret: 's3cret' }) } };
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
});
