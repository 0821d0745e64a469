import { fireEvent, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { open } from '../../../test-support/pages.tsx';
import { serve } from '../../../test-support/render.tsx';
import { DiskUseCard } from './disk-use-card.tsx';

const pulls = { entity: 'gh-pulls', title: 'Pull Requests', records: 5000, bytes: 61_400_000 };
const labels = { entity: 'gmail-labels', title: 'Labels', records: 12, bytes: 4200 };

describe('DiskUseCard', () => {
  it('lists the entities with their sizes and a total', async () => {
    serve(() => ({ body: { entities: [pulls, labels], isDiskLow: false } }));
    open('/account', <DiskUseCard />);
    expect(await screen.findByRole('row', { name: 'Pull Requests 5,000 61 MB' })).toBeTruthy();
    expect(screen.getByRole('row', { name: 'Labels 12 4.2 kB' })).toBeTruthy();
    expect(screen.getByRole('row', { name: 'Total 5,012 61 MB' })).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('warns before the disk is full', async () => {
    serve(() => ({ body: { entities: [], isDiskLow: true } }));
    open('/account', <DiskUseCard />);
    expect((await screen.findByRole('alert')).textContent).toMatch(/almost full.*Delete data/s);
    expect(screen.getByText(/No records are stored yet/)).toBeTruthy();
  });

  it('offers another try when it could not be loaded', async () => {
    let isDown = true;
    serve(() => (isDown ? { status: 500, body: {} } : { body: { entities: [labels], isDiskLow: false } }));
    open('/account', <DiskUseCard />);
    const retry = await screen.findByRole('button', { name: /try again/i });
    isDown = false;
    fireEvent.click(retry);
    expect(await screen.findByRole('row', { name: 'Labels 12 4.2 kB' })).toBeTruthy();
  });
});
