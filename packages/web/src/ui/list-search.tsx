import { useState } from 'react';
import { classNames } from './class-names.ts';
import { CONTROL } from './text-field.tsx';

/** Entries from which a list gets a search box. */
const SEARCH_FROM = 6;

interface ListSearch<T> {
  /** The entries that hold what was typed. */
  shown: readonly T[];
  /** The props of the search box; null: so few entries need none. */
  box: { text: string; onChange: (text: string) => void } | null;
}

/** Searches the entries of a list by their words, where there are many. */
export function useListSearch<T>(entries: readonly T[], wordsOf: (entry: T) => string): ListSearch<T> {
  const [text, onChange] = useState('');
  const wanted = text.trim().toLowerCase();
  // What was typed before the list became short still counts, or it could not be cleared.
  if (entries.length < SEARCH_FROM && wanted === '') return { shown: entries, box: null };
  return {
    shown: entries.filter((entry) => wordsOf(entry).toLowerCase().includes(wanted)),
    box: { text, onChange },
  };
}

interface ListSearchBoxProps {
  label: string;
  box: NonNullable<ListSearch<unknown>['box']>;
}

/** The box in which a list is searched. */
export function ListSearchBox({ label, box }: ListSearchBoxProps) {
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      value={box.text}
      onChange={(event) => box.onChange(event.target.value)}
      className={classNames(CONTROL, 'h-8')}
    />
  );
}
