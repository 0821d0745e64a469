import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { OutputPanel } from './output-panel.tsx';
import { OutputStatus } from './output-status.tsx';
import type { Output } from './use-refinement.ts';
import type { ResultDisplay } from './use-result-display.ts';

afterEach(cleanup);

const NOTHING: Output = {
  value: undefined,
  hasValue: false,
  failure: undefined,
  isPending: false,
  rows: 0,
  isOverAll: false,
  elapsedMs: undefined,
};
const DISPLAY: ResultDisplay = {
  mode: 'tree',
  onMode: () => undefined,
  columnChoice: { layout: [], onLayout: () => undefined },
  chartSettings: undefined,
  onChartSettings: () => undefined,
};
const show = (change: Partial<Output>) =>
  render(
    <>
      <OutputPanel output={{ ...NOTHING, ...change }} display={DISPLAY} chart={null} loadingHeight="h-96" />
      <OutputStatus output={{ ...NOTHING, ...change }} />
    </>,
  );

describe('OutputPanel and OutputStatus', () => {
  it.each([
    [{ rows: 20 }, 'Ran over the 20 rows of this page in 3 ms'],
    [{ rows: 1 }, 'Ran over the one row of this page in 3 ms'],
    [{ rows: 1600, isOverAll: true }, 'Ran over all 1,600 rows in 3 ms'],
    [{ rows: 1, isOverAll: true }, 'Ran over the only row in 3 ms'],
  ])('says over which rows the expression ran: %j', (change, sentence) => {
    show({ hasValue: true, value: 7, elapsedMs: 3, ...change });
    expect(screen.getByText(sentence)).toBeTruthy();
  });

  it('describes the condition that the database evaluated', () => {
    show({
      hasValue: true,
      value: 7,
      rows: 1600,
      isOverAll: true,
      pushedDown: { text: 'state = "open"', rows: 450 },
    });
    expect(screen.getByText(/The database evaluated/).textContent).toBe(
      'The database evaluated state = "open" first; the expression ran over the remaining 450 rows.',
    );
  });

  it("mentions 'this page' only when the expression runs over one page", () => {
    show({});
    expect(screen.getByText(/It runs over the results of this page as you type/)).toBeTruthy();
    cleanup();
    show({ isOverAll: true });
    expect(screen.getByText(/It runs over all results as you type/)).toBeTruthy();
    expect(document.body.textContent).not.toContain('this page');
    cleanup();
    show({ hasValue: true, isOverAll: true, rows: 3 });
    expect(screen.getByText('The expression matched nothing.')).toBeTruthy();
    expect(document.body.textContent).not.toContain('this page');
  });

  it.each([
    [[], '[]'],
    [{}, '{}'],
    ['', '""'],
  ])('shows an empty result literally: %j', (value, text) => {
    show({ hasValue: true, value, rows: 20 });
    expect(screen.getByRole('region', { name: 'Query output' }).textContent).toBe(text);
  });
});
