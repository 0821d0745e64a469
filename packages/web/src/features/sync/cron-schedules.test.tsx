import type { Schedule, UserEntity } from '@datadeck/contract';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { ENTITY, SCHEDULE, SETTING } from '../../../test-support/objects.ts';
import { type Call, renderAs, serve } from '../../../test-support/render.tsx';
import { CronSchedules } from './cron-schedules.tsx';
import { useSettingsForm } from './settings-form.tsx';

const entity: UserEntity = {
  ...ENTITY,
  id: 'gh-pulls',
  title: 'Pull Requests',
  providerId: 'github',
  settings: [{ ...SETTING, propKey: 'owner', label: 'Owner', defaultValue: 'ada' }],
};
const weekdays: Schedule = {
  ...SCHEDULE,
  _id: 'w',
  every: 'cron',
  cron: '0 8 * * 1-5',
  timeZone: 'Europe/Berlin',
  entitySettings: { owner: 'ada' },
  nextAt: '2026-11-30T07:00:00.000Z',
  nextTimes: ['2026-11-30T07:00:00.000Z', '2026-12-01T07:00:00.000Z', '2026-12-02T07:00:00.000Z'],
  runsPerMonth: 23,
  blockedReason: null,
};
const TIMETABLE = { nextTimes: weekdays.nextTimes, runsPerMonth: 31 };

function Shown({ schedules }: { schedules: Schedule[] }) {
  const form = useSettingsForm(entity);
  return <CronSchedules entity={entity} schedules={schedules} form={form} />;
}

/** Answers the preview with a timetable, and other requests with `answer`. */
function serveTimes(answer: (call: Call) => { status?: number; body: unknown }, timetable = TIMETABLE) {
  return serve((call) => (call.url.includes('/timetable') ? { body: timetable } : answer(call)));
}

async function openForm(schedules: Schedule[] = []) {
  renderAs({ mayChange: true }, <Shown schedules={schedules} />);
  fireEvent.click(screen.getByRole('button', { name: 'Add schedule' }));
  await screen.findByRole('form', { name: 'New schedule' });
}

const choose = (kind: string) => fireEvent.click(screen.getByRole('radio', { name: kind }));
const type = (label: RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save schedule' }));
const changesOf = (calls: Call[]) => calls.filter(({ method }) => method !== 'GET');

describe('CronSchedules', () => {
  it('shows each schedule in words, with its next times and runs', () => {
    renderAs({ mayChange: true }, <Shown schedules={[weekdays]} />);
    expect(screen.getByText('Mondays to Fridays at 08:00, Europe/Berlin')).toBeTruthy();
    expect(screen.getByText('ada · 23 runs a month; your plan allows 50')).toBeTruthy();
    expect(screen.getAllByText(/^(Nov 30|Dec 01|Dec 02), 2026, 7:00 AM$/)).toHaveLength(3);
  });

  it('adds a schedule with the settings of the form', async () => {
    const calls = serveTimes(() => ({ status: 201, body: weekdays }));
    await openForm();
    choose('Weekdays');
    type(/^Time$/, '08:00');
    save();
    expect(await screen.findByText('The schedule was added')).toBeTruthy();
    const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    expect(changesOf(calls)).toEqual([
      {
        method: 'POST',
        url: '/api/integrations/schedules',
        body: {
          providerId: 'github',
          entityLabel: 'gh-pulls',
          cron: '0 8 * * 1-5',
          timeZone,
          entitySettings: { owner: 'ada' },
        },
      },
    ]);
    expect(screen.queryByRole('form', { name: 'New schedule' })).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add schedule' }));
  });

  it('previews the next times, and says when the plan has fewer runs', async () => {
    serveTimes(() => ({ body: {} }));
    await openForm([weekdays]);
    expect(await screen.findByText(/^31 runs a month; your plan allows 50/)).toBeTruthy();
    expect(
      screen.getByText(/^This schedule needs 31 runs a month; your plan has 50, and the other/),
    ).toBeTruthy();
  });

  it('shows errors at their fields', async () => {
    const message = 'Must have a time in the future';
    serve(() => ({
      status: 422,
      body: { error: { code: 'validation-failed', message: 'x', fields: { cron: message } } },
    }));
    await openForm();
    choose('Cron line');
    save();
    expect(await screen.findByText('Required')).toBeTruthy();
    type(/^Cron line/, '0 8 30 2 *');
    await waitFor(() =>
      expect(screen.getByLabelText(/^Cron line/).getAttribute('aria-invalid')).toBe('true'),
    );
    expect(screen.getByText(message)).toBeTruthy();
  });

  it('deletes a schedule after a question', async () => {
    const calls = serve(() => ({ body: { ok: true } }));
    renderAs({ mayChange: true }, <Shown schedules={[weekdays]} />);
    fireEvent.click(screen.getByRole('button', { name: /^Delete: Mondays to Fridays/ }));
    fireEvent.click(await screen.findByRole('button', { name: 'Confirm' }));
    expect(await screen.findByText('The schedule was deleted')).toBeTruthy();
    expect(calls).toMatchObject([{ method: 'DELETE', url: '/api/integrations/schedules/w' }]);
  });

  it('is disabled on a plan that does not allow changes', () => {
    renderAs({ mayChange: false }, <Shown schedules={[weekdays]} />);
    expect(screen.getByRole('button', { name: 'Add schedule' })).toHaveProperty('disabled', true);
    expect(screen.getByRole('button', { name: /^Delete/ })).toHaveProperty('disabled', true);
  });
});
