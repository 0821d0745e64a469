import type { RefObject } from 'react';
import type { CodeEditorHandle } from '../../ui/code-editor.tsx';
import { confirm } from '../../ui/confirmation.tsx';
import { isSelection, withCondition } from '../../ui/results/value-filter.ts';
import { useSavedQueriesQuery } from './queries-api.ts';

interface Written {
  query: string;
  onQueryChange: (query: string) => void;
  editor: RefObject<CodeEditorHandle | null>;
}

/** Returns functions that write into the expression editor. */
export function useExpressionWriter({ query, onQueryChange, editor }: Written) {
  const { data: saved = [] } = useSavedQueriesQuery();
  const isUnsaved = query.trim() !== '' && !saved.some(({ expression }) => expression === query);

  /** Asks before an expression that was not saved is lost. */
  async function mayReplace(): Promise<boolean> {
    const message = 'Your expression has not been saved. Replace it?';
    return !isUnsaved || (await confirm('Unsaved expression', message));
  }

  function write(text: string): void {
    // While the editor's code loads, it starts with the text.
    if (editor.current) editor.current.replace(text);
    else onQueryChange(text);
    editor.current?.reveal();
  }

  return {
    /** Replaces the expression. */
    replace: async (text: string) => {
      if (await mayReplace()) onQueryChange(text);
    },
    /** Filters the rows of the template: another condition of an expression that only selects rows, or instead of it. */
    filterRows: async (condition: string) => {
      if (isSelection(query)) write(withCondition(query, condition));
      else if (await mayReplace()) write(withCondition('', condition));
    },
    /** Filters the result of the expression. */
    filterResult: (condition: string) => write(withCondition(query, condition)),
  };
}
