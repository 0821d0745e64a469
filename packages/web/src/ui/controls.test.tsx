import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import toast from 'react-hot-toast';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { DebouncedTextField } from './debounced-text-field.tsx';
import { Pagination } from './pagination.tsx';
import { TextField } from './text-field.tsx';
import { Toasts, toasts } from './toast.tsx';

afterEach(() => {
  vi.useRealTimers();
  toast.remove();
  cleanup();
});

describe('Pagination', () => {
  // @covers 5.pagination-clamped-previous
  it('clamps the page and disables Previous on page 1 and Next on the last', () => {
    const onChange = vi.fn();
    const { rerender } = render(<Pagination page={0} total={3} onChange={onChange} />);
    expect(screen.getByRole('button', { name: 'Previous' })).toHaveProperty('disabled', true);
    expect(screen.getByRole('button', { name: 'Page 1' }).getAttribute('aria-current')).toBe('page');
    fireEvent.click(screen.getByRole('button', { name: 'Next' }));
    expect(onChange).toHaveBeenLastCalledWith(2);
    rerender(<Pagination page={99} total={3} onChange={onChange} />);
    expect(screen.getByRole('button', { name: 'Next' })).toHaveProperty('disabled', true);
    fireEvent.click(screen.getByRole('button', { name: 'Previous' }));
    expect(onChange).toHaveBeenLastCalledWith(2);
  });

  it('shows the page and the number of pages, unless there is only one page', () => {
    const { rerender } = render(<Pagination page={3} total={5} onChange={() => {}} />);
    expect(screen.getByText('Page 3 of 5')).toBeTruthy();
    rerender(<Pagination page={3} total={1234} onChange={() => {}} />);
    expect(screen.getByText('of 1,234')).toBeTruthy();
    rerender(<Pagination page={1} total={1} onChange={() => {}} />);
    expect(screen.queryByText(/^Page 1 of/)).toBeNull();
  });

  it('moves the focus to the current page when the focused button is disabled', () => {
    const { rerender } = render(<Pagination page={2} total={3} onChange={() => {}} />);
    screen.getByRole('button', { name: 'Next' }).focus();
    rerender(<Pagination page={3} total={3} onChange={() => {}} />);
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Page 3' }));
  });

  it('goes to a page by its number, and to the first and the last page', () => {
    const onChange = vi.fn();
    const { rerender } = render(<Pagination page={250} total={500} onChange={onChange} />);
    const box = screen.getByRole('textbox', { name: 'Go to page, 1 to 500' });
    const goTo = (text: string) => {
      fireEvent.change(box, { target: { value: text } });
      fireEvent.submit(box);
    };

    expect(box).toHaveProperty('value', '250');
    goTo('317');
    expect(onChange).toHaveBeenLastCalledWith(317);
    goTo('9,999');
    expect(onChange).toHaveBeenLastCalledWith(500);

    fireEvent.click(screen.getByRole('button', { name: 'First' }));
    expect(onChange).toHaveBeenLastCalledWith(1);
    fireEvent.click(screen.getByRole('button', { name: 'Last' }));
    expect(onChange).toHaveBeenLastCalledWith(500);

    goTo('none');
    fireEvent.change(box, { target: { value: '7' } });
    fireEvent.blur(box);
    expect(onChange).toHaveBeenCalledTimes(4);
    expect(box).toHaveProperty('value', '250');

    rerender(<Pagination page={1} total={5} onChange={onChange} />);
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Last' })).toBeNull();
  });
});

describe('TextField', () => {
  // @covers 5.generic-field-required
  it('supports required, pattern, type and placeholder, and shows an error in red', () => {
    render(
      <TextField
        label="Code"
        type="email"
        required
        pattern="[a-z]+"
        placeholder="E.g. abc"
        error="Invalid Pattern"
      />,
    );

    const box = screen.getByLabelText('Code');
    expect(box).toMatchObject({
      type: 'email',
      required: true,
      pattern: '[a-z]+',
      placeholder: 'E.g. abc',
      ariaInvalid: 'true',
    });
    const message = screen.getByText('Invalid Pattern');
    expect(message.className).toContain('text-error-text');
    expect(box.getAttribute('aria-describedby')).toBe(message.id);
  });
});

describe('DebouncedTextField', () => {
  // @covers 9.title-input-debounced
  it('reports a changed text after 500 ms, not before', () => {
    vi.useFakeTimers();
    const onChange = vi.fn();
    render(<DebouncedTextField label="Title" value="" delay={500} onChange={onChange} />);
    fireEvent.change(screen.getByLabelText('Title'), { target: { value: 'Mine' } });
    vi.advanceTimersByTime(499);
    expect(onChange).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(onChange).toHaveBeenCalledWith('Mine');
  });

  // @covers 9.title-input-debounced
  it('restarts the delay when the text changes again within it', () => {
    vi.useFakeTimers();
    const onChange = vi.fn();
    render(<DebouncedTextField label="Title" value="" delay={500} onChange={onChange} />);

    fireEvent.change(screen.getByLabelText('Title'), { target: { value: 'Mi' } });
    vi.advanceTimersByTime(400);
    fireEvent.change(screen.getByLabelText('Title'), { target: { value: 'Mine' } });
    vi.advanceTimersByTime(499);
    expect(onChange).not.toHaveBeenCalled();

    vi.advanceTimersByTime(1);
    expect(onChange.mock.calls).toEqual([['Mine']]);
  });
});

describe('Toasts', () => {
  // @covers 4.toasts-shown-hidden 9.product-toasts-2000
  it('removes a toast 1 s after its duration of 2000 ms', () => {
    vi.useFakeTimers();
    render(<Toasts />);
    act(() => void toasts.success('Done'));
    act(() => vi.advanceTimersByTime(1999));
    expect(screen.getByText('Done')).toBeTruthy();
    act(() => vi.advanceTimersByTime(1));
    act(() => vi.advanceTimersByTime(990));
    expect(screen.queryByText('Done')).not.toBeNull();
    act(() => vi.advanceTimersByTime(20));
    expect(screen.queryByText('Done')).toBeNull();
  });

  // @covers 9.toast-library-defaults
  it('keeps the default durations of react-hot-toast for its five types', () => {
    vi.useFakeTimers();
    render(<Toasts />);
    act(() => {
      toast('A blank one');
      toast.custom(<p>A custom one</p>);
      toast.error('An error');
      toast.success('A success');
      toast.loading('A load');
    });

    // From hiding to removal it takes another second.
    const shownAfter = (milliseconds: number) => {
      act(() => void vi.advanceTimersByTime(milliseconds));
      return ['A blank one', 'A custom one', 'An error', 'A success', 'A load'].filter(
        (text) => screen.queryByText(text) !== null,
      );
    };

    shownAfter(2000);
    expect(shownAfter(990)).toHaveLength(5);
    expect(shownAfter(20)).toEqual(['A blank one', 'A custom one', 'An error', 'A load']);
    shownAfter(990);
    expect(shownAfter(990)).toHaveLength(4);
    expect(shownAfter(20)).toEqual(['A load']);
    expect(shownAfter(3_600_000)).toEqual(['A load']);
  });

  // @covers 9.toasts-20-most
  it('shows at most 20 toasts, up to 350 px wide, animated for 300 ms', () => {
    vi.useFakeTimers();
    render(<Toasts />);
    act(() => {
      for (let number = 1; number <= 25; number++) toasts.info(`Toast ${number}.`);
    });
    expect(screen.getAllByText(/^Toast \d+\.$/)).toHaveLength(20);
    const bar = () => screen.getByText('Toast 25.').parentElement;
    expect(bar()?.style).toMatchObject({ maxWidth: '350px' });
    expect(bar()?.style.animation).toMatch(/^300ms .*toast-in$/);
    act(() => void vi.advanceTimersByTime(2001));
    expect(bar()?.style.animation).toMatch(/^300ms .*toast-out$/);
  });

  // @covers 4.toast-types-info
  it('shows toasts of the types info, success and error', () => {
    render(<Toasts />);
    act(() => {
      toasts.info('One');
      toasts.success('Two');
      toasts.error('Three');
    });
    for (const text of ['One', 'Two', 'Three']) expect(screen.getByText(text)).toBeTruthy();
  });
});
