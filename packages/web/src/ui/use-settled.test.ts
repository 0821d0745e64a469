import { act, renderHook } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { useSettled } from './use-settled.ts';

afterEach(() => {
  vi.useRealTimers();
});

describe('useSettled', () => {
  it('returns a changed text after the delay, not before', () => {
    vi.useFakeTimers();
    const { result, rerender } = renderHook(({ text }) => useSettled(text, 1000), {
      initialProps: { text: 'a' },
    });
    rerender({ text: 'b' });
    act(() => vi.advanceTimersByTime(999));
    expect(result.current[0]).toBe('a');
    act(() => vi.advanceTimersByTime(1));
    expect(result.current[0]).toBe('b');
  });
});
