import { renderHook } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { useLastPage } from './use-last-page.ts';

function at({ page, total }: { page: number; total: number | undefined }) {
  const onPage = vi.fn();
  const { result, rerender } = renderHook(
    (props: { total: number | undefined }) => useLastPage(page, props.total, onPage),
    { initialProps: { total } },
  );
  return { result, rerender, onPage };
}

describe('useLastPage', () => {
  it('goes to the last page from one beyond it, replacing the history entry', () => {
    const { result, rerender, onPage } = at({ page: 999, total: undefined });
    expect(result.current).toBe(false);
    expect(onPage).not.toHaveBeenCalled();
    rerender({ total: 3 });
    expect(result.current).toBe(true);
    expect(onPage.mock.calls).toEqual([[3, { replace: true }]]);
  });

  it.each([1, 3])('stays on page %i of 3', (page) => {
    const { result, onPage } = at({ page, total: 3 });
    expect(result.current).toBe(false);
    expect(onPage).not.toHaveBeenCalled();
  });
});
