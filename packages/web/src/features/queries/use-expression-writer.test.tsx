import { fireEvent, screen } from '@testing-library/react';
import { useRef, useState } from 'react';
import { describe, expect, it } from 'vitest';
import { renderAs, serve } from '../../../test-support/render.tsx';
import type { CodeEditorHandle } from '../../ui/code-editor.tsx';
import { useExpressionWriter } from './use-expression-writer.ts';

/** The expression, and buttons of cells in the rows of the template and in the result of the expression. */
function Probe({ first }: { first: string }) {
  const [query, onQueryChange] = useState(first);
  const editor = useRef<CodeEditorHandle>(null);
  const { filterRows, filterResult } = useExpressionWriter({ query, onQueryChange, editor });
  return (
    <>
      <output>{query}</output>
      <button type="button" onClick={() => void filterRows('n = 1')}>
        Row
      </button>
      <button type="button" onClick={() => filterResult('n = 1')}>
        Result
      </button>
    </>
  );
}

function show(first: string, saved: string[] = []): void {
  serve(() => ({ body: saved.map((text) => ({ _id: text, title: text, jsonNataQuery: text })) }));
  renderAs({ mayChange: true }, <Probe first={first} />);
}
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const written = () => screen.getByRole('status').textContent;

describe('useExpressionWriter', () => {
  it.each([
    ['', '$[n = 1]'],
    ['$[a = 2]', '$[a = 2][n = 1]'],
  ])('adds a condition for the rows of the template to %j', async (before, after) => {
    show(before);
    press('Row');
    expect(written()).toBe(after);
  });

  it('asks before it replaces an unsaved expression by a condition', async () => {
    show('$.{"n": n}');
    press('Row');
    fireEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
    expect(written()).toBe('$.{"n": n}');
    press('Row');
    fireEvent.click(await screen.findByRole('button', { name: 'Confirm' }));
    expect(await screen.findByText('$[n = 1]')).toBeTruthy();
  });

  it('filters the result of an expression', () => {
    show('$.{"n": n}');
    press('Result');
    expect(written()).toBe('($.{"n": n})[n = 1]');
  });
});
