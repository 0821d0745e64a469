import type { Curve, CurvePoint } from '@datadeck/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderAs, serve } from '../../../test-support/render.tsx';
import { VIEW } from '../../../test-support/view.ts';
import { KeepHistory, ViewHistory } from './view-history.tsx';

const point = (hour: number, number: number, more: Partial<CurvePoint> = {}): CurvePoint => ({
  at: `2026-11-25T0${hour}:00:00.000Z`,
  cause: 'run',
  sync: { _id: 's', number: hour },
  isUndone: false,
  isRedefined: false,
  values: { '': number },
  ...more,
});
const POINTS = [
  point(1, 40, { cause: 'start', sync: null }),
  point(2, 45, { isUndone: true }),
  point(3, 42, { cause: 'undo' }),
];

/** Serves a curve, which `PUT` begins and ends. */
function serveCurve(more: Partial<Curve> = {}) {
  const curve: Curve = {
    isKept: true,
    since: '2026-11-25T01:00:00.000Z',
    parameters: null,
    kind: 'number',
    problem: null,
    count: POINTS.length,
    points: POINTS,
    ...more,
  };
  return serve(({ method, url, body }) => {
    if (method === 'PUT') {
      curve.isKept = (body as { isKept: boolean }).isKept;
      return { body: { ok: true } };
    }
    if (url.includes('/points')) return { body: { results: POINTS.toReversed(), count: POINTS.length } };
    return { body: curve };
  });
}

describe('the history of a view', () => {
  it('shows the last number and its change, and all points with what they follow', async () => {
    serveCurve();
    renderAs({ mayChange: true }, <ViewHistory view={VIEW} />);
    const open = await screen.findByRole('button', { name: /History/ });
    expect(open.textContent).toContain('42');
    expect(open.textContent).toContain('−3');
    fireEvent.click(open);
    const table = await screen.findByRole('table', { name: /Points of the history/ });
    const rows = within(table).getAllByRole('row').slice(1);
    expect(rows.map(({ textContent }) => textContent)).toMatchObject([
      expect.stringContaining('Run 3 undone42'),
      expect.stringContaining('Run 2This run was undone later45'),
      expect.stringContaining('Start40'),
    ]);
  });

  it('reads a point by the slider', async () => {
    serveCurve();
    renderAs({ mayChange: true }, <ViewHistory view={VIEW} />);
    fireEvent.click(await screen.findByRole('button', { name: /History/ }));
    const slider = await screen.findByRole('slider', { name: 'Point of the history' });
    fireEvent.change(slider, { target: { value: '1' } });
    expect(slider.getAttribute('aria-valuetext')).toMatch(/Run 2: 45$/);
    expect(screen.getByText('This run was undone later', { selector: 'figcaption *' })).toBeTruthy();
  });

  it('says why the last point is missing', async () => {
    serveCurve({ points: [], count: 0, problem: 'The view yields no number.' });
    renderAs({ mayChange: true }, <ViewHistory view={VIEW} />);
    expect((await screen.findByRole('alert')).textContent).toBe('The view yields no number.');
  });

  it('begins with the values of the parameters', async () => {
    const calls = serveCurve({ isKept: false, since: null, points: [], count: 0 });
    renderAs({ mayChange: true }, <KeepHistory view={VIEW} parameters='{"a":1}' />);
    fireEvent.click(await screen.findByRole('switch', { name: 'Keep history' }));
    await waitFor(() =>
      expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({
        isKept: true,
        parameters: '{"a":1}',
      }),
    );
    await waitFor(() => expect(screen.getByRole('switch').ariaChecked).toBe('true'));
  });
});
