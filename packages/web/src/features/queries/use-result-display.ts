import type { Chart, ViewDisplay } from '@datadeck/contract';
import { useState } from 'react';
import type { ColumnChoice } from '../../ui/results/arranged-columns.ts';
import { useColumnChoice } from '../templates/use-column-choice.ts';
import { type ResultMode, useResultMode } from '../templates/use-result-mode.ts';

/** How the rows of a template, or the result of the expression, are shown. */
export interface ResultDisplay {
  mode: ResultMode;
  onMode: (mode: ResultMode) => void;
  columnChoice: ColumnChoice;
  /** Settings of the chart; undefined: what is proposed. */
  chartSettings: Chart | undefined;
  onChartSettings: (chart: Chart) => void;
}

/** Keeps how rows or results of a template are shown. @param templateId its `templateName` */
export function useResultDisplay(place: 'query' | 'output', templateId: string): ResultDisplay {
  const columnChoice = useColumnChoice(place === 'query' ? templateId : `output/${templateId}`);
  const [chosen, setChosen] = useState<{ templateId: string; chart: Chart }>();
  return {
    ...useResultMode(place),
    columnChoice,
    chartSettings: chosen?.templateId === templateId ? chosen.chart : undefined,
    onChartSettings: (chart) => setChosen({ templateId, chart }),
  };
}

/**
 * Returns the display that a view saved from these rows or results stores. Undefined for a tree, and for a table whose columns
 * nobody chose: the view then opens as the browser shows views.
 */
export function displayForNewView({
  mode,
  columnChoice,
  chartSettings,
}: ResultDisplay): ViewDisplay | undefined {
  const { layout } = columnChoice;
  if (mode === 'chart') return { mode, columns: layout, ...(chartSettings && { chart: chartSettings }) };
  return mode === 'table' && layout.length > 0 ? { mode, columns: layout } : undefined;
}
