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

export interface ExpressionWriter {
  /** Writes the expression in one undo step. */
  write: (text: string) => void;
  /** Replaces the expression, after asking if it was not saved. */
  replace: (text: string) => Promise<void>;
  /** Filters the rows of the template: another condition of an expression that only selects rows, or instead of it. */
  filterRows: (condition: string) => Promise<void>;
  /** Filters the result of the expression. */
  filterResult: (condition: string) => void;
}

/** Returns functions that write into the expression editor. */
export function useExpressionWriter({ query, onQueryChange, editor }: Written): ExpressionWriter {
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
  }

  function writeAndReveal(text: string): void {
    write(text);
    editor.current?.reveal();
  }

  return {
    write,
    replace: async (text) => {
      if (await mayReplace()) onQueryChange(text);
    },
    filterRows: async (condition) => {
      if (isSelection(query)) writeAndReveal(withCondition(query, condition));
      else if (await mayReplace()) writeAndReveal(withCondition('', condition));
    },
    filterResult: (condition) => writeAndReveal(withCondition(query, condition)),
  };
}
