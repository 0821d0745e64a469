import { act, cleanup, renderHook, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { open, provider } from '../../../test-support/pages.tsx';
import { serve } from '../../../test-support/render.tsx';
import { WIRE_TEMPLATE } from '../../../test-support/template.ts';
import { DRAFT_KEY } from './draft-key.ts';
import { QueryPage } from './query-page.tsx';
import { clearDraft, useDraft } from './use-draft.ts';
import { useKnownInputs } from './use-known-inputs.ts';

afterEach(() => localStorage.clear());

const edit = (template: string, query: string) => {
  const { result } = renderHook(() => useDraft(template));
  act(() => result.current[1](query));
};
const draftOf = (template: string) => renderHook(() => useDraft(template)).result.current[0];

describe('drafts of expressions', () => {
  it('keeps one expression for each template of each entity', () => {
    const names = ['gmail-messages/all', 'gmail-messages/by-sender', 'gh-pulls/all', 'toString'];
    for (const name of names) edit(name, `$count($) & "${name}"`);
    expect(names.map(draftOf)).toEqual(names.map((name) => `$count($) & "${name}"`));
    expect(draftOf('constructor')).toBe('');
  });

  it('shows the expression of the template that the address names, at once', () => {
    edit('gmail-messages/all', 'from.email');
    const { result, rerender } = renderHook(({ template }) => useDraft(template), {
      initialProps: { template: 'gmail-messages/all' },
    });
    expect(result.current[0]).toBe('from.email');
    rerender({ template: 'gh-pulls/all' });
    expect(result.current[0]).toBe('');
    act(() => result.current[1]('author'));
    rerender({ template: 'gmail-messages/all' });
    expect(result.current[0]).toBe('from.email');
  });

  it('keeps the expressions of the 30 templates edited last', () => {
    for (let index = 0; index < 31; index++) edit(`gh-pulls/${index}`, String(index));
    expect([draftOf('gh-pulls/0'), draftOf('gh-pulls/1'), draftOf('gh-pulls/30')]).toEqual(['', '1', '30']);
  });

  it('starts empty after a refinement, and with a draft that an earlier version stored', () => {
    edit('gmail-messages/all', 'from.email');
    clearDraft('gmail-messages/all');
    expect(draftOf('gmail-messages/all')).toBe('');
    localStorage.setItem(DRAFT_KEY, '"$count($)"');
    expect(draftOf('gmail-messages/all')).toBe('');
  });

  it('keeps values of variables for each template', () => {
    const mails = renderHook(() => useKnownInputs('gmail-messages/all'));
    act(() => mails.result.current.keep({ name: 'label', type: 'text', text: 'INBOX' }));
    expect(mails.result.current.known).toHaveProperty('label');
    expect(renderHook(() => useKnownInputs('gh-pulls/all')).result.current.known).toEqual({});
  });
});

describe('the Query page', () => {
  it.each([
    ['by-sender', '$count($)'],
    ['all', ''],
  ])('opens the template %s with its own expression', async (template, expected) => {
    class IdleWorker extends EventTarget {
      postMessage() {}
      terminate() {}
    }
    vi.stubGlobal('Worker', IdleWorker);
    edit('gmail-messages/by-sender', '$count($)');
    serve(({ url }) => {
      if (url.includes('/providers')) return { body: [provider] };
      if (url.includes('/templates/'))
        return { body: [WIRE_TEMPLATE, { ...WIRE_TEMPLATE, _id: 't2', templateKey: 'all' }] };
      return { body: url.includes('/aggregation/') ? { results: [], count: 0 } : [] };
    });
    open(`/query?provider=google&entity=gmail-messages&template=${template}&step=1&page=1`, <QueryPage />);
    await screen.findByText('The template returned no rows');
    const save = screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });
    await waitFor(() => expect(save.disabled).toBe(expected === ''));
    cleanup();
  });
});
