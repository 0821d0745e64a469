import type { ViewDifference } from '@datadeck/contract';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { open, provider } from '../../../test-support/pages.tsx';
import { serve } from '../../../test-support/render.tsx';
import { WIRE_TEMPLATE } from '../../../test-support/template.ts';
import { WIRE_VIEW } from '../../../test-support/view.ts';
import { ViewsPage } from './views-page.tsx';

afterEach(() => localStorage.clear());

const AT = '/views?provider=google&entity=gmail-messages&view=v';
const run = (number: number) => ({
  _id: `1b0e6a52-7c1d-4c55-9a3e-5f2f8f1f0a0${number}`,
  number,
  at: `2026-11-2${number}T08:00:00.000Z`,
  entityLabel: 'gmail-messages',
  account: 'ada',
  added: number,
  updated: 0,
  removed: 0,
});
const RUNS = [run(3), run(2), run(1)];
const DIFFERENCE: ViewDifference = {
  appeared: 30,
  disappeared: 0,
  changed: 1,
  rows: [{ kind: 'changed', key: '1', row: { title: 'new' }, before: { title: 'old' } }],
};

/** Serves a view whose rows say when they are from. */
function serveView() {
  return serve(({ url }) => {
    if (url.includes('/providers')) return { body: [provider] };
    if (url.includes('/templates/')) return { body: [WIRE_TEMPLATE] };
    if (url.includes('/runs')) return { body: { results: RUNS, count: RUNS.length, isCut: true } };
    if (url.includes('/difference')) return { body: DIFFERENCE };
    if (url.includes('/as-of/')) return { body: { results: [{ at: 'past' }], count: 1, isArray: true } };
    if (url.includes('/aggregate/')) return { body: { results: [{ at: 'now' }], count: 1, isArray: true } };
    return { body: url.includes('/data/views?') ? [WIRE_VIEW] : [] };
  });
}

describe('a view as of a run', () => {
  it('is chosen by a slider, says how its rows changed since, and ends with Back to now', async () => {
    const calls = serveView();
    open(AT, <ViewsPage />);
    await screen.findByRole('cell', { name: 'now' });
    fireEvent.click(screen.getByRole('button', { name: 'as of a run' }));
    const slider = await screen.findByRole('slider', { name: 'As of a run' });
    expect(slider.getAttribute('aria-valuetext')).toBe('Now');
    expect(screen.getByText(/What older runs changed is no longer kept/)).toBeTruthy();
    fireEvent.change(slider, { target: { value: '1' } });
    expect(slider.getAttribute('aria-valuetext')).toMatch(/^Run 2 · Nov 22, 2026, .* · ada: 2 added$/);
    await screen.findByRole('cell', { name: 'past' });
    expect(calls.some(({ url }) => url.includes(`run=${run(2)._id}`))).toBe(true);
    const difference = await screen.findByRole('button', { name: /Since then/ });
    expect(difference.textContent).toContain('30 rows added');
    fireEvent.click(difference);
    expect(await screen.findByText('before: title: old')).toBeTruthy();
    expect(screen.getByText('And 30 more rows.')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Back to now' }));
    await screen.findByRole('cell', { name: 'now' });
    expect(screen.queryByRole('slider')).toBeNull();
  });

  it('opens with the run of the address, and offers no download of other rows', async () => {
    serveView();
    open(`${AT}&run=${run(1)._id}`, <ViewsPage />);
    await screen.findByRole('cell', { name: 'past' });
    const slider = await screen.findByRole('slider', { name: 'As of a run' });
    await waitFor(() => expect(slider.getAttribute('aria-valuetext')).toMatch(/^Run 1/));
    expect(screen.queryByRole('button', { name: '.JSON' })).toBeNull();
  });
});
