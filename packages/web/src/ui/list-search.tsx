import { useState } from 'react';
import { classNames } from './class-names.ts';
import { CONTROL } from './text-field.tsx';

/** Number of entries from which a list gets a search box. */
const MIN_ENTRIES = 6;

interface ListSearch<T> {
  /** The entries that match the search. */
  shown: readonly T[];
  /** The props of the search box; null when the list is too short for one. */
  box: { text: string; onChange: (text: string) => void } | null;
}

/** Filters the entries of a long list by their text. */
export function useListSearch<T>(entries: readonly T[], wordsOf: (entry: T) => string): ListSearch<T> {
  const [text, onChange] = useState('');
  const wanted = text.trim().toLowerCase();
  // Keep the box while it contains text, or the user could not clear it.
  if (entries.length < MIN_ENTRIES && wanted === '') return { shown: entries, box: null };
  return {
    shown: entries.filter((entry) => wordsOf(entry).toLowerCase().includes(wanted)),
    box: { text, onChange },
  };
}

interface ListSearchBoxProps {
  label: string;
  box: NonNullable<ListSearch<unknown>['box']>;
}

/** The search box of a list. */
export function ListSearchBox({ label, box }: ListSearchBoxProps) {
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      value={box.text}
      onChange={(event) => box.onChange(event.target.value)}
      className={classNames(CONTROL, 'h-8 max-sm:h-10')}
    />
  );
}
