import { type ComponentProps, type RefObject, useRef, useState } from 'react';

const BOXES = 'input[type="checkbox"]:enabled';

/** Returns the place to go to by a key in a list of `count` entries; undefined for other keys. */
function nextPlace(key: string, place: number, count: number): number | undefined {
  if (key === 'ArrowDown') return Math.min(count - 1, place + 1);
  if (key === 'ArrowUp') return Math.max(0, place - 1);
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}

/**
 * Makes a long list of check boxes one stop of the Tab key; arrow keys, Home and End move within it.
 * @returns the list's ref and props, the `tabIndex` of a box, and a function that focuses the list
 */
export function useRowKeys(values: readonly string[]): {
  ref: RefObject<HTMLDivElement | null>;
  list: Pick<ComponentProps<'div'>, 'onKeyDown' | 'onFocus'>;
  tabIndexOf: (value: string) => 0 | -1;
  enter: () => void;
} {
  const ref = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState('');
  const stop = values.includes(current) ? current : values[0];
  const boxes = () => [...(ref.current?.querySelectorAll<HTMLInputElement>(BOXES) ?? [])];
  return {
    ref,
    list: {
      onFocus({ target }) {
        if (target instanceof HTMLInputElement) setCurrent(target.value);
      },
      onKeyDown(event) {
        const all = boxes();
        const place = event.target instanceof HTMLInputElement ? all.indexOf(event.target) : -1;
        const next = place < 0 ? undefined : nextPlace(event.key, place, all.length);
        if (next === undefined) return;
        event.preventDefault();
        all[next]?.focus();
      },
    },
    tabIndexOf: (value) => (value === stop ? 0 : -1),
    enter: () =>
      boxes()
        .find((box) => box.tabIndex === 0)
        ?.focus(),
  };
}
