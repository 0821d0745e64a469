import type { Chart, ColumnLayout, ViewDisplay } from '@datadeck/contract';
import { useEffect, useState } from 'react';
import type { View } from '../../api/models.ts';
import { type ColumnChoice, isSameLayout } from '../../ui/results/arranged-columns.ts';
import type { RowSorting } from '../../ui/results/sort-header.tsx';
import { isSameChart } from '../charts/chart-kinds.ts';
import { useColumnChoice } from '../templates/use-column-choice.ts';
import { type ResultMode, useResultMode } from '../templates/use-result-mode.ts';

const NO_LAYOUT: ColumnLayout = [];

interface ShownView {
  view: View;
  /** The order of the results, which the address keeps. */
  sorting: RowSorting;
  /** Whether the table shows until another picture is chosen: some rows are marked as new, or selected by a filter. */
  showsRows: boolean;
}

/** How a view is shown, and what of it differs from how it is stored. */
export interface ShownDisplay {
  mode: ResultMode;
  onMode: (mode: ResultMode) => void;
  columnChoice: ColumnChoice;
  /** Settings of the chart; undefined: what is proposed. */
  chart: Chart | undefined;
  onChart: (chart: Chart) => void;
  /**
   * What would be stored, if that is not what is; else undefined. While marks show the table, the mode is the one without
   * them.
   */
  changed: ViewDisplay | undefined;
  /** Shows it as it is stored. */
  onUndo: () => void;
}

/** Keeps the columns that the reader chose for a view, until they are stored with it. */
function useViewColumns({ id, display }: View): ColumnChoice & { isChanged: boolean } {
  const { layout, onLayout } = useColumnChoice(`view/${id}`);
  const stored = display?.columns ?? NO_LAYOUT;
  const isSame = isSameLayout(layout, stored);
  const isKept = layout.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `onLayout` is another function each time
  useEffect(() => {
    // What is stored is no choice of this browser any more, so that it shows what others store later.
    if (isKept && isSame) onLayout(NO_LAYOUT);
  }, [isKept, isSame]);
  return {
    layout: isKept ? layout : stored,
    onLayout,
    isStored: stored.length > 0,
    isChanged: isKept && !isSame,
  };
}

/** Shows a view as it is stored, or else as this browser showed views before, until the reader changes it. */
export function useViewDisplay({ view, sorting, showsRows }: ShownView): ShownDisplay {
  const { display } = view;
  const remembered = useResultMode('views');
  const [before] = useState(remembered.mode);
  const [chosen, setChosen] = useState<ResultMode>();
  const [chosenChart, setChart] = useState<Chart>();
  const { isChanged, ...columnChoice } = useViewColumns(view);
  const mode = chosen ?? display?.mode ?? remembered.mode;
  const storedSort = display?.sort ?? '';
  const chart = chosenChart ?? display?.chart;
  const isChartChanged = !isSameChart(chart, display?.chart);
  const isModeChanged = chosen !== undefined && chosen !== (display?.mode ?? before);
  const { sort } = sorting;
  return {
    mode: showsRows && chosen === undefined ? 'table' : mode,
    onMode: (next) => {
      setChosen(next);
      if (!display) remembered.onMode(next);
    },
    columnChoice,
    chart,
    onChart: setChart,
    changed:
      isModeChanged || isChanged || isChartChanged || sort !== storedSort
        ? { mode, columns: columnChoice.layout, ...(sort !== '' && { sort }), ...(chart && { chart }) }
        : undefined,
    onUndo: () => {
      setChosen(undefined);
      setChart(undefined);
      if (!display) remembered.onMode(before);
      columnChoice.onLayout(NO_LAYOUT);
      if (sort !== storedSort) sorting.onSort(storedSort);
    },
  };
}
