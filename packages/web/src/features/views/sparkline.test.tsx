import type { Curve } from '@datadeck/contract';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderAs, serve } from '../../../test-support/render.tsx';
import { Sparkline } from './sparkline.tsx';

const point = (day: number, number: number) => ({
  at: `2026-11-2${day}T00:00:00.000Z`,
  cause: 'run' as const,
  sync: null,
  isUndone: false,
  isRedefined: false,
  values: { '': number },
});
const CURVE: Curve = {
  isKept: true,
  since: '2026-11-21T00:00:00.000Z',
  parameters: null,
  kind: 'number',
  problem: null,
  count: 2,
  points: [point(1, 40), point(2, 42)],
};

describe('the sparkline of a tile', () => {
  it('says the last change of the number', async () => {
    serve(() => ({ body: CURVE }));
    renderAs({ mayChange: true }, <Sparkline viewId="v" parameters={undefined} />);
    expect(await screen.findByTitle('42, +2 since the point before')).toBeTruthy();
  });

  it('is absent for other values of the parameters, and without a history', async () => {
    for (const curve of [
      { ...CURVE, parameters: '{"a":1}' },
      { ...CURVE, isKept: false },
    ]) {
      const calls = serve(() => ({ body: curve }));
      const { container, unmount } = renderAs(
        { mayChange: true },
        <Sparkline viewId="v" parameters={undefined} />,
      );
      await waitFor(() => expect(calls).toHaveLength(1));
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(container.querySelector('svg')).toBeNull();
      unmount();
    }
  });
});
