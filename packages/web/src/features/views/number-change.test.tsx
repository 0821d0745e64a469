import type { Curve } from '@datadeck/contract';
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderAs, serve } from '../../../test-support/render.tsx';
import { NumberChange } from './number-change.tsx';

const pointOf = (at: string, value: number, isRedefined = false): Curve['points'][number] => ({
  at,
  cause: 'run',
  sync: null,
  isUndone: false,
  isRedefined,
  values: { '': value },
});
const CURVE: Curve = {
  isKept: true,
  since: '2026-11-01T08:00:00.000Z',
  parameters: null,
  kind: 'number',
  problem: null,
  count: 2,
  points: [pointOf('2026-11-20T08:00:00.000Z', 45), pointOf('2026-11-21T08:00:00.000Z', 43)],
};

/** Shows the change of 43. */
function show(curve: Partial<Curve>, parameters?: string) {
  const calls = serve(() => ({ body: { ...CURVE, ...curve } }));
  renderAs({ mayChange: true }, <NumberChange viewId="v" parameters={parameters} value={43} />);
  return calls;
}

it('says how the number changed since the run before', async () => {
  show({});
  expect(await screen.findByText('−2 since Nov 20, 2026, 8:00 AM')).toBeTruthy();
});

it.each<[string, Partial<Curve>, string?]>([
  ['no history is kept', { isKept: false }],
  ['the history is that of other values', {}, '{"author":"amy"}'],
  [
    'the history ends with another number',
    { points: [pointOf('2026-11-20T08:00:00.000Z', 1), pointOf('2026-11-21T08:00:00.000Z', 2)] },
  ],
  [
    'the view changed in between',
    { points: [pointOf('2026-11-20T08:00:00.000Z', 1), pointOf('2026-11-21T08:00:00.000Z', 43, true)] },
  ],
  ['there is one point', { points: [pointOf('2026-11-21T08:00:00.000Z', 43)] }],
])('says nothing when %s', async (_name, curve, parameters) => {
  const calls = show(curve, parameters);
  await waitFor(() => expect(calls).toHaveLength(1));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(screen.queryByText(/since/)).toBeNull();
});
