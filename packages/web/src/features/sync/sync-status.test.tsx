import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { SyncStatusLine } from './sync-status.tsx';

afterEach(cleanup);

describe('SyncStatusLine', () => {
  // @covers 2.rows-status-dot 4.status-values-colours
  it.each([
    ['started', 'Running', 'secondary'],
    ['finished', 'Finished', 'success'],
    ['failed', 'Failed', 'error'],
  ] as const)('shows %s as %s in the colour %s, with the date', (status, title, colour) => {
    render(<SyncStatusLine status={status} updatedAt="2026-11-05T10:00:00.000Z" />);
    expect(screen.getByRole('img', { name: title }).dataset.colour).toBe(colour);
    expect(screen.getByText(/Nov 05, 2026/)).toBeTruthy();
  });
});
