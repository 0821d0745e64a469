import { cleanup, createEvent, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Dialog } from './dialog.tsx';
import { type Option, Select, type SelectProps } from './select.tsx';

afterEach(cleanup);

const optionsOf = (...labels: string[]): Option[] =>
  labels.map((label, index) => ({ value: `${index}`, label }));
const numbered = (count: number) =>
  optionsOf(...Array.from({ length: count }, (_, index) => `Option ${index}`));

/** Shows a select that keeps its value, and returns its box. */
function show(props: Partial<SelectProps> = {}): HTMLElement {
  function ControlledSelect() {
    const [value, setValue] = useState<Option | null>(props.value ?? null);
    const onChange = (option: Option | null) => {
      setValue(option);
      props.onChange?.(option);
    };
    return <Select label="Entity" options={numbered(12)} {...props} value={value} onChange={onChange} />;
  }
  render(<ControlledSelect />);
  return screen.getByRole('combobox', { name: 'Entity' });
}

/** Presses a key and returns whether its default action was prevented. */
function press(box: HTMLElement, key: string): boolean {
  const event = createEvent.keyDown(box, { key });
  fireEvent(box, event);
  return event.defaultPrevented;
}

const activeLabel = (box: HTMLElement) =>
  document.getElementById(box.getAttribute('aria-activedescendant') ?? '')?.textContent;
const shownOptions = () => screen.queryAllByRole('option').map(({ textContent }) => textContent);

describe('Select', () => {
  // @covers 8.options-select
  it("shows 'No options' when there are none", () => {
    const box = show({ options: [] });
    press(box, 'ArrowDown');
    expect(screen.getByText('No options')).toBeTruthy();
    expect(box.getAttribute('aria-activedescendant')).toBeNull();
  });

  // @covers 9.select-menu-300
  it('limits the height of its menu to 300 px', () => {
    press(show(), 'ArrowDown');
    expect(getComputedStyle(screen.getByRole('listbox')).maxHeight).toBe('300px');
  });

  // @covers 9.select-menu-300
  it('moves by 5 options with PageDown and PageUp, and stops at the ends', () => {
    const box = show();
    press(box, 'ArrowDown');
    const labels = ['PageDown', 'PageDown', 'PageDown', 'PageUp', 'PageUp', 'PageUp'].map((key) => {
      press(box, key);
      return activeLabel(box);
    });
    expect(labels).toEqual([5, 10, 11, 6, 1, 0].map((index) => `Option ${index}`));
  });

  it('wraps around with the arrow keys, and jumps to the ends with Home and End', () => {
    const box = show();
    press(box, 'ArrowDown');
    const labels = ['ArrowUp', 'ArrowDown', 'ArrowDown', 'End', 'Home'].map((key) => {
      press(box, key);
      return activeLabel(box);
    });
    expect(labels).toEqual([11, 0, 1, 11, 0].map((index) => `Option ${index}`));
  });

  it('opens at the chosen option; with none chosen, ArrowUp opens at the last', () => {
    const box = show();
    press(box, 'ArrowUp');
    expect(activeLabel(box)).toBe('Option 11');
    press(box, 'PageUp');
    press(box, 'Enter');
    press(box, 'ArrowDown');
    expect(activeLabel(box)).toBe('Option 6');
  });

  it.each(['Enter', 'Tab', ' '])('chooses the active option on %j and prevents the default action', (key) => {
    const onChange = vi.fn();
    const box = show({ onChange });
    press(box, 'ArrowDown');
    press(box, 'ArrowDown');
    expect(press(box, key)).toBe(true);
    expect(onChange).toHaveBeenCalledExactlyOnceWith({ value: '1', label: 'Option 1' });
    expect(screen.queryByRole('listbox')).toBeNull();
  });

  it('leaves Enter and Tab to the form while it is closed', () => {
    const box = show();
    expect(press(box, 'Enter')).toBe(false);
    expect(press(box, 'Tab')).toBe(false);
  });

  it('searches labels but not values', () => {
    const box = show({ options: [{ value: '77-b3', label: 'Senders' }, ...optionsOf('Top 77')] });
    fireEvent.change(box, { target: { value: '77' } });
    expect(shownOptions()).toEqual(['Top 77']);
  });

  it('ignores case and accents in a search, and accepts spaces in it', () => {
    const box = show({ options: optionsOf('Éole en été', 'Other') });
    fireEvent.change(box, { target: { value: 'EN ete' } });
    expect(shownOptions()).toEqual(['Éole en été']);
    expect(press(box, ' ')).toBe(false);
    expect(shownOptions()).toEqual(['Éole en été']);
  });

  it('clears the search and closes on blur', () => {
    const onBlur = vi.fn();
    const box = show({ onBlur });
    fireEvent.change(box, { target: { value: '11' } });
    fireEvent.blur(box);
    expect(onBlur).toHaveBeenCalledOnce();
    expect(screen.queryByRole('listbox')).toBeNull();
    press(box, 'ArrowDown');
    expect(shownOptions()).toHaveLength(12);
  });

  it('clears its value by button, Backspace and Delete if it is clearable', () => {
    const value = { value: '1', label: 'Option 1' };
    const onChange = vi.fn();
    const box = show({ value, onChange });

    press(box, 'Backspace');
    expect(onChange).not.toHaveBeenCalled();
    expect(screen.queryByRole('button', { name: 'Clear Entity' })).toBeNull();

    for (const clear of [
      () => press(screen.getByRole('combobox'), 'Backspace'),
      () => press(screen.getByRole('combobox'), 'Delete'),
      () => fireEvent.click(screen.getByRole('button', { name: 'Clear Entity' })),
    ]) {
      cleanup();
      onChange.mockClear();
      show({ value, onChange, clearable: true });
      clear();
      expect(onChange).toHaveBeenCalledExactlyOnceWith(null);
      expect(screen.getByText('Select...')).toBeTruthy();
    }
  });

  it('exposes its list, active option and chosen option to assistive technology', () => {
    const box = show({ value: { value: '2', label: 'Option 2' }, error: 'Required' });
    expect(box.getAttribute('aria-expanded')).toBe('false');
    expect(box.getAttribute('aria-controls')).toBeNull();
    const described = (box.getAttribute('aria-describedby') ?? '').split(' ');
    expect(described.map((id) => document.getElementById(id)?.textContent)).toEqual(['Option 2', 'Required']);
    press(box, 'ArrowDown');
    press(box, 'ArrowDown');
    expect(box.getAttribute('aria-expanded')).toBe('true');
    expect(box.getAttribute('aria-controls')).toBe(screen.getByRole('listbox', { name: 'Entity' }).id);
    expect(activeLabel(box)).toBe('Option 3');
    expect(screen.getByRole('option', { selected: true }).textContent).toBe('Option 2');
    expect(screen.getByText('12 options')).toBeTruthy();
  });

  it('opens and closes on mouse down, and chooses an option on click', () => {
    const onChange = vi.fn();
    const box = show({ onChange });
    fireEvent.mouseDown(box);
    fireEvent.mouseDown(box);
    expect(screen.queryByRole('listbox')).toBeNull();
    fireEvent.mouseDown(box);
    fireEvent.click(screen.getByRole('option', { name: 'Option 4' }));
    expect(onChange).toHaveBeenCalledExactlyOnceWith({ value: '4', label: 'Option 4' });
  });

  it('closes on Escape without closing its dialog', () => {
    const onClose = vi.fn();
    render(
      <Dialog open title="Dialog" onClose={onClose}>
        <Select label="Entity" value={null} options={numbered(3)} onChange={() => {}} />
      </Dialog>,
    );
    const box = screen.getByRole('combobox', { name: 'Entity' });
    press(box, 'ArrowDown');
    press(box, 'Escape');
    expect(screen.queryByRole('listbox')).toBeNull();
    expect(onClose).not.toHaveBeenCalled();
    press(box, 'Escape');
    expect(onClose).toHaveBeenCalledOnce();
  });
});
