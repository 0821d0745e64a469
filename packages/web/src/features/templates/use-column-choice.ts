import { type ColumnLayout, columnLayoutSchema } from '@datadeck/contract';
import type { ColumnChoice } from '../../ui/results/arranged-columns.ts';
import { useKeptByTemplate } from './kept-by-template.ts';

/** Local storage key of the columns that people chose, by template and view. */
const COLUMNS_KEY = 'dd-columns';
const NONE: ColumnLayout = [];

/** Keeps in local storage how the columns of a template or a view are shown. @param name its `templateName`, or its id */
export function useColumnChoice(name: string): ColumnChoice {
  const [layout, setLayout] = useKeptByTemplate(COLUMNS_KEY, columnLayoutSchema, {
    template: name,
    empty: NONE,
  });
  return { layout, onLayout: (next) => setLayout(() => next) };
}
