import type { Bindings, QueryAnswer } from '@datadeck/contract';
import { useState } from 'react';
import { errorOf, sentenceOf } from '../../api/failure.ts';
import type { RowSorting } from '../../ui/results/sort-header.tsx';
import type { EvaluationFailure } from '../expressions/evaluation/protocol.ts';
import { useUnsortable } from '../templates/use-sorting.ts';
import { useRunQueryQuery } from './queries-api.ts';

interface AllResultsOptions {
  isOn: boolean;
  expression: string;
  entity: string;
  templateKey: string;
  /** Selects rows of the template; empty: all. */
  search: string;
  /** Its rows alone are read; empty: all accounts. */
  account: string;
  bindings?: Bindings;
}

export interface AllResults {
  answer: QueryAnswer | undefined;
  failure: EvaluationFailure | undefined;
  isRunning: boolean;
  page: number;
  setPage: (page: number) => void;
  /** The order of all results; another expression starts with its own. */
  sorting: RowSorting;
}

const NONE: Bindings = {};

/** Evaluates the expression on the server over all rows of the template; returns the results in pages. */
export function useAllResults({
  isOn,
  expression,
  entity,
  templateKey,
  search,
  account,
  bindings = NONE,
}: AllResultsOptions): AllResults {
  const subject = JSON.stringify([templateKey, search, account, expression, bindings]);
  const hasBindings = Object.keys(bindings).length > 0;
  const [choice, setChoice] = useState({ subject, page: 1, sort: '' });
  const { page, sort } = choice.subject === subject ? choice : { page: 1, sort: '' };
  const { currentData, error, isFetching } = useRunQueryQuery(
    {
      entity,
      templateKey,
      expression: expression,
      page,
      ...(sort !== '' && { sort }),
      ...(search !== '' && { search }),
      ...(account !== '' && { account }),
      ...(hasBindings && { parameters: bindings }),
    },
    { skip: !isOn || expression.trim() === '' || templateKey === '' },
  );
  const sorting: RowSorting = { sort, onSort: (next) => setChoice({ subject, page: 1, sort: next }) };
  useUnsortable(error, sorting);
  const failure =
    isFetching || !error ? undefined : { message: sentenceOf(error), position: errorOf(error)?.position };
  return {
    answer: failure ? undefined : currentData,
    failure,
    isRunning: isFetching,
    page,
    setPage: (next) => setChoice({ subject, page: next, sort }),
    sorting,
  };
}
