import { act, fireEvent, screen } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { open } from '../../../test-support/pages.tsx';
import { serve } from '../../../test-support/render.tsx';
import { baseApi } from '../../api/base-api.ts';
import { createStore } from '../../app/state/store.ts';
import { BrowserNotificationsCard } from './browser-notifications-card.tsx';
import BrowserNotifier from './browser-notifier.tsx';

/** The browser's side: its permission, its answer to a question, and what it shows. */
class Shown {
  static permission: NotificationPermission = 'default';
  static answer: NotificationPermission = 'granted';
  static needsServiceWorker = false;
  static all: Shown[] = [];
  static async requestPermission() {
    Shown.permission = Shown.answer;
    return Shown.answer;
  }
  onclick: () => void = () => {};
  readonly title: string;
  readonly body: string | undefined;
  constructor(title: string, { body }: NotificationOptions) {
    if (Shown.needsServiceWorker) throw new TypeError('Illegal constructor');
    this.title = title;
    this.body = body;
    Shown.all.push(this);
  }
  close() {}
}

beforeEach(() => {
  localStorage.clear();
  Object.assign(Shown, { permission: 'default', answer: 'granted', needsServiceWorker: false, all: [] });
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('Notification', Shown);
});

const turnOn = async () => act(async () => fireEvent.click(screen.getByRole('button', { name: 'Turn on' })));

describe('BrowserNotificationsCard', () => {
  it('asks after a click, and turns them off again', async () => {
    serve(() => ({ body: {} }));
    open('/alerts', <BrowserNotificationsCard />);
    expect(Shown.permission).toBe('default');
    await turnOn();
    expect(Shown.all.map(({ title }) => title)).toEqual(['Notifications are on']);
    fireEvent.click(screen.getByRole('button', { name: 'Turn off' }));
    expect(screen.getByRole('button', { name: 'Turn on' })).toBeTruthy();
  });

  it.each([
    [{ answer: 'denied' }, /blocks notifications of this site/],
    [{ needsServiceWorker: true }, /does not let a page show/],
  ])('says why there are none with %j', async (browser, sentence) => {
    Object.assign(Shown, browser);
    open('/alerts', <BrowserNotificationsCard />);
    await turnOn();
    expect(screen.getByText(sentence)).toBeTruthy();
    expect(screen.queryByRole('button')).toBeNull();
    expect(localStorage).toHaveLength(0);
  });

  it('needs a secure context', () => {
    vi.stubGlobal('isSecureContext', false);
    open('/alerts', <BrowserNotificationsCard />);
    expect(screen.getByText(/only of sites with https/)).toBeTruthy();
  });
});

describe('BrowserNotifier', () => {
  const notice = (id: number, change: object = {}) => ({
    _id: String(id),
    created_at: new Date(Date.UTC(2026, 10, 28, id)).toISOString(),
    title: `Title ${id}`,
    message: 'A message',
    advice: '',
    providerId: 'github',
    entityLabel: 'gh-pulls',
    syncId: null,
    viewId: 'v',
    deliveryId: 'd',
    rows: [],
    isRead: false,
    ...change,
  });

  it('shows the alerts that arrive, once, and opens them', async () => {
    let results = [notice(1)];
    serve(() => ({ body: { results, unread: results.length } }));
    const store = createStore();
    const onOpen = vi.fn();
    open('/', <BrowserNotifier onOpen={onOpen} />, store);
    const reload = () =>
      act(async () => {
        store.dispatch(baseApi.util.invalidateTags(['Notifications']));
        await vi.waitFor(() =>
          expect(store.getState().api.queries['notifications(undefined)']?.status).toBe('fulfilled'),
        );
      });
    await reload();
    expect(Shown.all).toEqual([]);
    const rows = [
      { text: 'First row', recordId: null, account: null },
      { text: 'Second row', recordId: null, account: null },
    ];
    results = [
      notice(5),
      notice(4, { viewId: null }),
      notice(3, { isRead: true }),
      notice(2, { rows }),
      notice(1),
    ];
    await reload();
    await reload();
    await vi.waitFor(() => expect(Shown.all).toHaveLength(2));
    expect(Shown.all.map(({ title, body }) => [title, body])).toEqual([
      ['Title 5', 'A message'],
      ['Title 2', 'First row\nSecond row'],
    ]);
    Shown.all[1]?.onclick();
    expect(onOpen).toHaveBeenCalledWith(expect.objectContaining({ id: '2' }));
  });

  it('shows the newest three of many at once', async () => {
    let results: object[] = [];
    serve(() => ({ body: { results, unread: 0 } }));
    const store = createStore();
    open('/', <BrowserNotifier onOpen={() => {}} />, store);
    await vi.waitFor(() =>
      expect(store.getState().api.queries['notifications(undefined)']?.status).toBe('fulfilled'),
    );
    results = [9, 8, 7, 6, 5].map((id) => notice(id));
    act(() => void store.dispatch(baseApi.util.invalidateTags(['Notifications'])));
    await vi.waitFor(() =>
      expect(Shown.all.map(({ title }) => title)).toEqual(['Title 9', 'Title 8', 'Title 7']),
    );
  });
});
