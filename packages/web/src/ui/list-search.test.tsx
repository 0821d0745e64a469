import { act, renderHook } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { useListSearch } from './list-search.tsx';

const words = (count: number) => Array.from({ length: count }, (_, index) => `Entry ${index}`);

describe('useListSearch', () => {
  it('shows the box for six or more entries, or while it has a text', () => {
    const { result, rerender } = renderHook(({ count }) => useListSearch(words(count), (word) => word), {
      initialProps: { count: 5 },
    });
    expect(result.current.box).toBeNull();
    rerender({ count: 6 });
    act(() => result.current.box?.onChange(' ENTRY 3'));
    expect(result.current.shown).toEqual(['Entry 3']);
    // Entries were deleted: the search text can still be cleared.
    rerender({ count: 5 });
    expect(result.current.box?.text).toBe(' ENTRY 3');
    act(() => result.current.box?.onChange(''));
    expect(result.current.box).toBeNull();
    expect(result.current.shown).toHaveLength(5);
  });
});
