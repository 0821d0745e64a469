import type { ViewDisplay } from '@datadeck/contract';
import type { ColumnChoice } from '../../ui/results/arranged-columns.ts';
import { useColumnChoice } from '../templates/use-column-choice.ts';
import { type ResultMode, useResultMode } from '../templates/use-result-mode.ts';

/** How the rows of a template, or the result of the expression, are shown. */
export interface ResultDisplay {
  mode: ResultMode;
  onMode: (mode: ResultMode) => void;
  columnChoice: ColumnChoice;
}

/** Keeps how rows or results of a template are shown. @param templateId its `templateName` */
export function useResultDisplay(place: 'query' | 'output', templateId: string): ResultDisplay {
  const columnChoice = useColumnChoice(place === 'query' ? templateId : `output/${templateId}`);
  return { ...useResultMode(place), columnChoice };
}

/**
 * Returns the display that a view saved from these rows or results stores. Undefined for a tree, and for a table whose columns
 * nobody chose: the view then opens as the browser shows views.
 */
export function displayForNewView({ mode, columnChoice }: ResultDisplay): ViewDisplay | undefined {
  const { layout } = columnChoice;
  if (mode === 'chart') return { mode, columns: layout };
  return mode === 'table' && layout.length > 0 ? { mode, columns: layout } : undefined;
}
