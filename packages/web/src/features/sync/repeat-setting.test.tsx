import type { Schedule, UserEntity } from '@datadeck/contract';
import { fireEvent, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { ENTITY, SCHEDULE, SETTING } from '../../../test-support/objects.ts';
import { renderAs, serve } from '../../../test-support/render.tsx';
import { RepeatSetting } from './repeat-setting.tsx';
import { useSettingsForm } from './settings-form.tsx';

const entity: UserEntity = {
  ...ENTITY,
  id: 'gh-pulls',
  title: 'Pull Requests',
  providerId: 'github',
  settings: [{ ...SETTING, propKey: 'owner', label: 'Owner', defaultValue: 'ada' }],
};
const daily: Schedule = { ...SCHEDULE, entitySettings: { owner: 'ada' } };

function Shown({ schedule }: { schedule: Schedule | null }) {
  const form = useSettingsForm(entity);
  return <RepeatSetting entity={entity} schedules={schedule ? [schedule] : []} form={form} />;
}

function show(schedule: Schedule | null, mayChange = true) {
  renderAs({ mayChange }, <Shown schedule={schedule} />);
}

const choose = (label: string) => fireEvent.click(screen.getByRole('radio', { name: label }));

describe('RepeatSetting', () => {
  it('sets a schedule with the settings of the form', async () => {
    const calls = serve(() => ({ body: daily }));
    show(null);
    expect(screen.getByText(/^Daily uses about 30 of your 50 runs/)).toBeTruthy();
    choose('Daily');
    expect(await screen.findByText('A daily schedule was set')).toBeTruthy();
    expect(calls).toEqual([
      {
        method: 'PUT',
        url: '/api/integrations/schedules/github/gh-pulls',
        body: { every: 'daily', entitySettings: { owner: 'ada' } },
      },
    ]);
  });

  it('shows the next run, and warns of a schedule that exceeds the plan', () => {
    show({ ...daily, every: 'hourly' });
    expect(screen.getByText(/^Next run: Nov 22, 2026/)).toBeTruthy();
    expect(screen.getByRole('alert').textContent).toContain('720 runs a month; your plan allows 50');
  });

  it('reports settings that differ from the form, and adopts those of the form', async () => {
    const calls = serve(() => ({ body: daily }));
    show({ ...daily, entitySettings: { owner: 'ben' } });
    expect(screen.getByText(/different settings from those above: ben/)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Use the settings above' }));
    expect(await screen.findByText('A daily schedule was set')).toBeTruthy();
    expect(calls[0]?.body).toEqual({ every: 'daily', entitySettings: { owner: 'ada' } });
  });

  it('turns a schedule off', async () => {
    const calls = serve(() => ({ body: { ...daily, every: 'off', nextAt: null } }));
    show(daily);
    choose('Off');
    expect(await screen.findByText('The schedule was turned off')).toBeTruthy();
    expect(calls[0]?.body).toMatchObject({ every: 'off' });
  });

  it('is disabled on a plan that does not allow changes', () => {
    show(null, false);
    expect(screen.getByRole('radio', { name: 'Daily' })).toHaveProperty('disabled', true);
  });
});
