import { SEARCH_LIMITS } from '@datadeck/contract';
import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useSearchText } from './use-search-text.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Renders the hook over an address that changes only when the test says so, as a busy browser does. */
function startSearch(address = '') {
  const changes: { q: unknown; replace: boolean }[] = [];
  const searchAt = (q: string) => ({
    get: (name: string) => (name === 'q' ? q : ''),
    page: 1,
    set: (patch: Record<string, unknown>, options = { replace: false }) =>
      void changes.push({ q: patch.q, ...options }),
  });
  const { result, rerender } = renderHook(useSearchText, { initialProps: searchAt(address) });
  return {
    changes,
    current: () => result.current,
    type: (text: string) =>
      act(() => {
        result.current.type(text);
        vi.advanceTimersByTime(100);
      }),
    finish: (text: string) => act(() => result.current.finish(text)),
    setAddress: (q: string) => rerender(searchAt(q)),
  };
}

describe('useSearchText', () => {
  it('keeps what is typed when the address follows late', () => {
    const { current, type, setAddress } = startSearch();
    type('f');
    type('fr');
    setAddress('f');
    expect(current()).toMatchObject({ text: 'fr', asked: 'fr', isTyping: true });
    type('fre');
    setAddress('fre');
    expect(current()).toMatchObject({ text: 'fre', asked: 'fre', isTyping: true });
  });

  it('makes one entry of the history of what is typed in one go', () => {
    const { changes, type, finish, setAddress } = startSearch('old');
    type('n');
    type('new');
    setAddress('new');
    finish('new');
    type('newer');
    expect(changes).toEqual([
      { q: 'n', replace: false },
      { q: 'new', replace: true },
      { q: 'newer', replace: false },
    ]);
  });

  it('follows back and forward, and drops what was not asked for yet', () => {
    const { current, type, setAddress } = startSearch('old');
    type('new');
    setAddress('new');
    act(() => current().type('newer'));
    setAddress('old');
    act(() => void vi.advanceTimersByTime(100));
    expect(current()).toMatchObject({ text: 'old', asked: 'old', isTyping: false });
  });

  it('keeps texts beyond the limit out of the address', () => {
    const { changes, current, type } = startSearch();
    type('x'.repeat(SEARCH_LIMITS.text + 1));
    expect(current().asked).toHaveLength(SEARCH_LIMITS.text + 1);
    expect(changes).toEqual([]);
  });
});
