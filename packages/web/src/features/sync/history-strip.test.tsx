import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { address, open, provider, sync } from '../../../test-support/pages.tsx';
import { serve } from '../../../test-support/render.tsx';
import { fillDays, instantsOfDay } from './history-day.ts';
import { HistoryPage } from './history-page.tsx';

const TODAY = new Date(2026, 10, 27, 12);
const counts = (day: string) => ({ day, finished: 1, failed: 0, started: 0 });

describe('fillDays', () => {
  it('begins with the first day that has a sync, and shows 30 days at least', () => {
    const days = fillDays([counts('2026-10-01'), counts('2026-11-26')], 90, TODAY);
    expect([days[0]?.day, days.at(-1)?.day, days.length]).toEqual(['2026-10-01', '2026-11-27', 58]);
    expect(days.filter(({ finished }) => finished > 0)).toHaveLength(2);
    expect(fillDays([counts('2026-11-26')], 90, TODAY)).toHaveLength(30);
    expect(fillDays([counts('2026-01-01')], 90, TODAY)).toHaveLength(90);
  });
});

describe('instantsOfDay', () => {
  it('returns the local day, and nothing for a text that is none', () => {
    const { from = '', to = '' } = instantsOfDay('2026-02-28') ?? {};
    expect([new Date(from), new Date(to)]).toEqual([new Date(2026, 1, 28), new Date(2026, 2, 1)]);
    expect(instantsOfDay('2026-02-30')).toBeUndefined();
    expect(instantsOfDay('soon')).toBeUndefined();
  });
});

describe('HistoryStrip', () => {
  it('limits the list to a day, and shows all days again', async () => {
    const now = new Date();
    const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()]
      .map((part) => String(part).padStart(2, '0'))
      .join('-');
    const calls = serve(({ url }) => {
      if (url.includes('/providers')) return { body: [provider] };
      if (url.includes('/days')) return { body: [{ day, finished: 3, failed: 1, started: 0 }] };
      return { body: url.includes('/history') ? { results: [sync], count: 1 } : [] };
    });
    open('/history?page=2', <HistoryPage />);
    fireEvent.click(await screen.findByRole('button', { name: /: 3 finished, 1 failed$/ }));
    expect(address()).toBe(`/history?day=${day}`);
    const { from = '', to = '' } = instantsOfDay(day) ?? {};
    const limits = new URLSearchParams({ from, to }).toString();
    await waitFor(() => expect(calls.at(-1)?.url).toContain(limits));
    fireEvent.click(await screen.findByRole('button', { name: /^Show all days/ }));
    expect(address()).toBe('/history');
  });
});
