import type { UserEntity } from '@datadeck/contract';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { CHART_DATA } from '../../../test-support/chart.ts';
import { open, provider } from '../../../test-support/pages.tsx';
import { serve } from '../../../test-support/render.tsx';
import { WIRE_TEMPLATE } from '../../../test-support/template.ts';
import { Pictures } from './pictures.tsx';

/** The day of the last sync. */
const TODAY = new Date().toISOString().slice(0, 10);

const account = (name: string, records: number): UserEntity['accounts'][number] => ({
  account: name,
  title: '',
  status: 'connected',
  isDefault: true,
  lastSettings: null,
  source: null,
  records,
});
const ENTITY: UserEntity = {
  id: 'gmail-messages',
  title: 'Messages',
  description: '',
  providerId: 'google',
  dependsOn: [],
  multi: false,
  isMail: true,
  settings: [],
  usage: { used: 0, allowed: 10, resetsAt: '2026-12-01T00:00:00.000Z' } as UserEntity['usage'],
  cap: null,
  lastSettings: null,
  accounts: [account('a@example.org', 30), account('b@example.org', 12)],
  unconverted: 0,
};

/** Serves the screen. @param entities of the user */
const show = (entities: UserEntity[]) => {
  const calls = serve(({ url }) => {
    if (url.endsWith('/integrations/entities')) return { body: entities };
    if (url.includes('/providers')) return { body: [provider] };
    if (url.includes('/days')) return { body: [{ day: TODAY, finished: 3, failed: 1, started: 0 }] };
    if (url.includes('/query/chart')) return { body: CHART_DATA };
    return { body: url.includes('/templates/') ? [{ ...WIRE_TEMPLATE, isOfRecords: true }] : [] };
  });
  open('/dashboard/home', <Pictures />);
  return calls;
};
const cells = async (name: string) => {
  const table = await screen.findByRole('table', { name });
  return within(table)
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent);
};

it('draws syncs over time, records per source, and mails by the hour of the time zone', async () => {
  const calls = show([ENTITY]);
  expect(await cells('Number of records by source')).toEqual([
    'Messages · a@example.org30 records',
    'Messages · b@example.org12 records',
  ]);
  expect((await cells('Number of syncs by day and outcome')).at(-1)).toContain('3 syncs1 syncs');
  await screen.findByRole('table', { name: /^Number of rows by author/ });
  expect(calls.find(({ url }) => url.includes('/query/chart'))?.body).toMatchObject({
    entryCollection: 'gmail-messages',
    chart: { kind: 'heat-map', x: 'received' },
    timeZone: 'UTC',
  });
  expect(screen.queryByText('Reviews that wait')).toBeNull();
});

it('draws nothing while there are no records', async () => {
  show([{ ...ENTITY, accounts: [] }]);
  expect(screen.queryByRole('figure')).toBeNull();
});
