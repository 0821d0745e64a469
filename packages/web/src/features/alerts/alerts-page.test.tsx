import type { Alert } from '@datadeck/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { describe, expect, it } from 'vitest';
import { ALERT } from '../../../test-support/alert.ts';
import { renderAs, serve } from '../../../test-support/render.tsx';
import { AlertsPage } from './alerts-page.tsx';

const FAILED = {
  createdAt: '2026-11-20T10:00:00.000Z',
  channel: 'webhook',
  isTest: false,
  status: 'failed',
  outcome: 'Answered 500.',
} as const;

function show(alerts: Alert[], mayChange = true) {
  const calls = serve(({ method }) => ({
    body: method === 'GET' ? { results: alerts, emailAddress: null } : { ...ALERT, webhookSecret: null },
  }));
  renderAs(
    { mayChange },
    <MemoryRouter>
      <AlertsPage />
    </MemoryRouter>,
  );
  return calls;
}

describe('AlertsPage', () => {
  it.each<[string, Partial<Alert>, string[]]>([
    ['Watching', {}, ['12 rows', 'None yet']],
    ['Watching', { rowCount: null, comparedAt: null }, ['Not compared yet']],
    ['Paused', { isPaused: true, problem: 'It broke.' }, ['It broke.']],
    ['Failing', { problem: 'It broke.' }, ['It broke.']],
    ['Snoozed', { snoozedUntil: '2026-12-01T08:00:00.000Z' }, ['Until Dec 01, 2026']],
    ['Watching', { lastDelivery: FAILED }, ['Webhook · Answered 500.']],
    ['Watching', { lastDelivery: { ...FAILED, status: 'delivered', isTest: true } }, ['Webhook · Test']],
  ])('shows the state %s of %j', async (state, alert, texts) => {
    show([{ ...ALERT, ...alert }]);
    const row = within(await screen.findByRole('list', { name: 'Alerts' })).getByRole('listitem');
    expect(within(row).getByRole('img', { name: state })).toBeTruthy();
    for (const text of texts) expect(row.textContent).toContain(text);
  });

  it('links to the view with the watched values', async () => {
    show([ALERT]);
    expect((await screen.findByRole('link', { name: 'Open ones' })).getAttribute('href')).toBe(
      '/dashboard/data/views?provider=github&entity=gh-pulls&view=v&p.author=octocat',
    );
  });

  it.each<[string, Partial<Alert>, object]>([
    ['Pause', {}, { isPaused: true, snoozedUntil: null }],
    ['Resume', { isPaused: true }, { isPaused: false, snoozedUntil: null }],
    ['Resume', { snoozedUntil: '2026-12-01T08:00:00.000Z' }, { isPaused: false, snoozedUntil: null }],
  ])('%s sends the whole alert with its new state', async (name, alert, change) => {
    const calls = show([{ ...ALERT, ...alert }]);
    fireEvent.click(await screen.findByRole('button', { name: new RegExp(`^${name}: Open ones`) }));
    await waitFor(() => expect(calls.find(({ method }) => method === 'PUT')).toBeDefined());
    const { _id, kinds, digest, bell, email, webhookUrl, ntfyUrl, parameters } = ALERT;
    expect(calls.find(({ method }) => method === 'PUT')).toMatchObject({
      url: `/api/data/alerts/${_id}`,
      body: { kinds, digest, bell, email, webhookUrl, ntfyUrl, parameters, ...change },
    });
  });

  it('changes nothing for a demo user', async () => {
    show([ALERT], false);
    for (const name of [/^Pause/, /^Snooze/])
      expect(await screen.findByRole('button', { name })).toHaveProperty('disabled', true);
  });

  it('says what to do without alerts', async () => {
    show([]);
    expect(await screen.findByText(/^Open a view and choose Watch/)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Go to Views' })).toBeTruthy();
  });
});
