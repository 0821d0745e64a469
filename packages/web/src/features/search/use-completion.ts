import { dayIn } from '@datadeck/contract';
import { skipToken } from '@reduxjs/toolkit/query/react';
import { useMemo, useState } from 'react';
import { useSettled } from '../../ui/use-settled.ts';
import { useTimeZone } from '../sign-in/use-time-zone.ts';
import {
  type Completion,
  type CompletionPart,
  completionPart,
  completionsOf,
  isIncomplete,
} from './completion.ts';
import { useSearchValuesQuery } from './search-api.ts';

/** Debounce delay of the requests for values, ms. */
const DELAY = 120;
/** Longest text that the server accepts, UTF-16 units. */
const MAX_TYPED = 100;
const NONE: readonly string[] = [];

/** Operators whose values the server knows. */
const SERVED = ['from', 'to', 'author', 'label', 'in', 'repo', 'account'] as const;

/** Loads the values of the operator at the cursor. */
function useKnownValues(part: CompletionPart | undefined): readonly string[] {
  const operator = SERVED.find((name) => name === part?.operator);
  const typed = part?.typed.slice(0, MAX_TYPED) ?? '';
  const [settled] = useSettled(typed, DELAY);
  const { currentData } = useSearchValuesQuery(operator ? { operator, text: settled } : skipToken);
  return useMemo(
    () =>
      currentData
        ?.map(({ value }) => value)
        .filter((value) => value.toLowerCase().includes(typed.toLowerCase())) ?? NONE,
    [currentData, typed],
  );
}

interface CompletionOptions {
  text: string;
  cursor: number;
  /** Whether completions may be shown: the user is typing in the box. */
  isEnabled: boolean;
}

/** Holds the completions at the cursor and the active one among them; none is active until the user moves to one. */
export function useCompletion({ text, cursor, isEnabled }: CompletionOptions) {
  const [dismissed, setDismissed] = useState<string>();
  const [active, setActive] = useState<{ text: string; index: number }>();
  const isWanted = isEnabled && text !== dismissed;
  const part = useMemo(() => (isWanted ? completionPart(text, cursor) : undefined), [isWanted, text, cursor]);
  const known = useKnownValues(part);
  const timeZone = useTimeZone();
  const options: readonly Completion[] = useMemo(
    () => (part ? completionsOf(part, known, dayIn(new Date(), timeZone)) : []),
    [part, known, timeZone],
  );
  const index = active?.text === text && active.index < options.length ? active.index : -1;
  return {
    options,
    part,
    activeIndex: index,
    /** Whether what is typed would find nothing before it is completed. */
    isIncomplete: part !== undefined && isIncomplete(part, known),
    activate: (next: number) => setActive({ text, index: next }),
    /** Hides the completions until the text changes. */
    dismiss: () => setDismissed(text),
  };
}
