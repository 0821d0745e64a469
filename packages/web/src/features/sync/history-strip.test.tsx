import { dayIn } from '@datadeck/contract';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { address, open, provider, sync } from '../../../test-support/pages.tsx';
import { serve } from '../../../test-support/render.tsx';
import { createStore } from '../../app/state/store.ts';
import { signedIn } from '../sign-in/auth-slice.ts';
import { fillDays, instantsOfDay } from './history-day.ts';
import { HistoryPage } from './history-page.tsx';

const now = new Date('2026-11-27T12:00:00Z');
const shown = { most: 90, timeZone: 'UTC', now };
const counts = (day: string) => ({ day, finished: 1, failed: 0, started: 0 });

describe('fillDays', () => {
  it('begins with the first day that has a sync, and shows 30 days at least', () => {
    const days = fillDays([counts('2026-10-01'), counts('2026-11-26')], shown);
    expect([days[0]?.day, days.at(-1)?.day, days.length]).toEqual(['2026-10-01', '2026-11-27', 58]);
    expect(days.filter(({ finished }) => finished > 0)).toHaveLength(2);
    expect(fillDays([counts('2026-11-26')], shown)).toHaveLength(30);
    expect(fillDays([counts('2026-01-01')], shown)).toHaveLength(90);
  });
});

describe('fillDays in a time zone', () => {
  it.each([
    ['Pacific/Kiritimati', '2026-11-28'],
    ['America/New_York', '2026-11-27'],
  ])('ends with today in %s', (timeZone, today) => {
    expect(fillDays([], { ...shown, timeZone }).at(-1)?.day).toBe(today);
  });
});

describe('instantsOfDay', () => {
  it.each([
    ['2026-02-28', 'UTC', '2026-02-28T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
    ['2026-11-27', 'Asia/Tokyo', '2026-11-26T15:00:00.000Z', '2026-11-27T15:00:00.000Z'],
    ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
  ])('returns %s in %s', (day, timeZone, from, to) => {
    expect(instantsOfDay(day, timeZone)).toEqual({ from, to });
  });

  it.each(['2026-02-30', '2026-13-01', '0000-00-00', 'soon', ''])('returns nothing for %j', (text) => {
    expect(instantsOfDay(text, 'UTC')).toBeUndefined();
  });
});

describe('HistoryStrip', () => {
  it('limits the list to a day, and shows all days again', async () => {
    const timeZone = 'Pacific/Kiritimati';
    const day = dayIn(new Date(), timeZone);
    const profile = { _id: 'u', name: 'Ada', email: '', status: 'pro', signInProvider: null, timeZone };
    const calls = serve(({ url }) => {
      if (url.endsWith('/accounts')) return { body: profile };
      if (url.includes('/providers')) return { body: [provider] };
      if (url.includes('/days')) return { body: [{ day, finished: 3, failed: 1, started: 0 }] };
      return { body: url.includes('/history') ? { results: [sync], count: 1 } : [] };
    });
    const store = createStore();
    store.dispatch(signedIn('t'));
    open('/history?page=2', <HistoryPage />, store);
    expect(await screen.findByText(`Days begin at midnight in ${timeZone}`)).toBeTruthy();
    fireEvent.click(await screen.findByRole('button', { name: /: 3 finished, 1 failed$/ }));
    expect(address()).toBe(`/history?day=${day}`);
    const { from = '', to = '' } = instantsOfDay(day, timeZone) ?? {};
    const limits = new URLSearchParams({ from, to }).toString();
    await waitFor(() => expect(calls.at(-1)?.url).toContain(limits));
    fireEvent.click(await screen.findByRole('button', { name: /^Show all days/ }));
    expect(address()).toBe('/history');
  });
});
