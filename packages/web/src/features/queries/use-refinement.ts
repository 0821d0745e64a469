import type { Bindings, Parameter, PushedDown } from '@datadeck/contract';
import { useCallback, useState } from 'react';
import type { Template } from '../../api/models.ts';
import type { MenuItem } from '../../ui/menu.tsx';
import type { RowSorting } from '../../ui/results/sort-header.tsx';
import { useSettled } from '../../ui/use-settled.ts';
import type { EvaluationFailure } from '../expressions/evaluation/protocol.ts';
import { useEvaluation } from '../expressions/evaluation/use-evaluation.ts';
import type { ExpressionAnalysis } from '../expressions/jsonata-editor.tsx';
import { useAllResults } from './use-all-results.ts';
import { useQueryDownloadItems } from './use-query-download-items.ts';
import { type KnownInputs, type QueryInput, useQueryInputs } from './use-query-inputs.ts';

/** Debounce delay before the expression runs, ms. */
const EXPRESSION_DEBOUNCE = 1000;

/** What an expression results in. */
export interface Output {
  /** Undefined when nothing was evaluated. */
  value: unknown;
  hasValue: boolean;
  failure: EvaluationFailure | undefined;
  /** A sentence that helps to correct the failure. */
  advice?: string | undefined;
  isPending: boolean;
  /** Number of rows that the expression ran over. */
  rows: number;
  /** Whether these are all rows of the template, not only those of the page. */
  isOverAll: boolean;
  elapsedMs: number | undefined;
  /** The part of the expression that the database evaluated. */
  pushedDown?: PushedDown | undefined;
  /** Pages of an array result over all rows. */
  paging?: { page: number; count: number; onChange: (page: number) => void } | undefined;
  /** The order of an array result over all rows. */
  sorting?: RowSorting | undefined;
  /** Downloads of the whole result over all rows. */
  downloads?: readonly MenuItem[] | undefined;
}

interface RefinementOptions {
  template: Template | undefined;
  /** Selects rows of the template; empty: all. */
  search: string;
  /** Its rows alone are read; empty: all accounts. */
  account: string;
  /** The rows of the page; undefined before the template has run. */
  rows: readonly unknown[] | undefined;
  /** The expression. */
  query: string;
  /** The values of the expression's variables. */
  knownInputs: KnownInputs;
}

/** The evaluation of the expression that refines the rows of a template. */
export interface Refinement {
  output: Output;
  /** The expression that was evaluated. */
  settled: string;
  /** Whether the expression runs over all rows of the template, on the server. */
  isOverAll: boolean;
  setOverAll: (isOverAll: boolean) => void;
  /** Evaluates the expression without waiting for the end of typing. */
  settleNow: () => void;
  /** Takes what the editor found out about the expression. */
  takeAnalysis: (analysis: ExpressionAnalysis) => void;
  inputs: readonly QueryInput[];
  changeInput: (input: QueryInput) => void;
  bindings: Bindings;
  /** The expression's variables as parameters of a view. */
  parameters: readonly Parameter[];
}

interface Run {
  settled: string;
  isOverAll: boolean;
  bindings: Bindings;
  advice: string | undefined;
}

function useOutput(options: RefinementOptions, { settled, isOverAll, bindings, advice }: Run): Output {
  const { template, search, account, rows, query } = options;
  const live = useEvaluation(settled, isOverAll ? undefined : rows, bindings);
  const all = useAllResults({
    isOn: isOverAll,
    expression: settled,
    entity: template?.entity ?? '',
    templateKey: template?.templateKey ?? '',
    search,
    account,
    bindings,
  });
  const downloads = useQueryDownloadItems({
    entity: template?.entity ?? '',
    templateKey: template?.templateKey ?? '',
    expression: settled,
    ...(search !== '' && { search }),
    ...(account !== '' && { account }),
    ...(Object.keys(bindings).length > 0 && { parameters: bindings }),
  });
  const isTyping = settled !== query;
  if (isOverAll) {
    const { answer } = all;
    return {
      value: answer && (answer.isArray ? answer.results : answer.results[0]),
      hasValue: answer !== undefined,
      failure: all.failure,
      advice,
      isPending: all.isRunning || isTyping,
      rows: answer?.rows ?? 0,
      isOverAll: true,
      elapsedMs: answer?.elapsedMs,
      pushedDown: answer?.pushedDown,
      downloads: answer?.isArray ? downloads : undefined,
      paging: answer?.isArray ? { page: all.page, count: answer.count, onChange: all.setPage } : undefined,
      sorting: answer?.isArray ? all.sorting : undefined,
    };
  }
  const { evaluation } = live;
  return {
    value: evaluation?.ok ? evaluation.result : undefined,
    hasValue: evaluation?.ok === true,
    failure: evaluation && !evaluation.ok ? evaluation.failure : undefined,
    advice,
    isPending: live.isRunning || (isTyping && rows !== undefined),
    rows: rows?.length ?? 0,
    isOverAll: false,
    elapsedMs: evaluation?.ok ? evaluation.elapsedMs : undefined,
  };
}

const NO_ANALYSIS: ExpressionAnalysis = { advice: undefined, inputs: [] };

function isSame(one: ExpressionAnalysis, other: ExpressionAnalysis): boolean {
  return one.advice === other.advice && one.inputs.join() === other.inputs.join();
}

/** Evaluates the expression over the rows of the page or over all rows, once typing has ended. */
export function useRefinement(options: RefinementOptions): Refinement {
  const [isOverAll, setOverAll] = useState(false);
  const [settled, settleNow] = useSettled(options.query, EXPRESSION_DEBOUNCE);
  const [analysis, setAnalysis] = useState(NO_ANALYSIS);
  const takeAnalysis = useCallback(
    (next: ExpressionAnalysis) => setAnalysis((before) => (isSame(before, next) ? before : next)),
    [],
  );
  const { inputs, change, bindings, parameters } = useQueryInputs(analysis.inputs, options.knownInputs);
  const output = useOutput(options, { settled, isOverAll, bindings, advice: analysis.advice });
  return {
    output,
    settled,
    isOverAll,
    setOverAll,
    settleNow,
    takeAnalysis,
    inputs,
    changeInput: change,
    bindings,
    parameters,
  };
}
