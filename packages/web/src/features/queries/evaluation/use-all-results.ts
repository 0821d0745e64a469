import type { QueryAnswer } from '@datadeck/contract';
import { useEffect, useState } from 'react';
import { errorOf, sentenceOf } from '../../../api/failure.ts';
import { useRunQueryMutation } from '../queries-api.ts';
import type { EvaluationFailure } from './protocol.ts';

interface AllResultsOptions {
  isOn: boolean;
  expression: string;
  entryCollection: string;
  templateKey: string;
}

export interface AllResults {
  answer: QueryAnswer | undefined;
  failure: EvaluationFailure | undefined;
  isRunning: boolean;
  page: number;
  setPage: (page: number) => void;
}

/** The expression over every row of the template, evaluated on the server; results in pages. */
export function useAllResults({
  isOn,
  expression,
  entryCollection,
  templateKey,
}: AllResultsOptions): AllResults {
  const [runQuery, { data, error, isLoading, reset }] = useRunQueryMutation();
  const [page, setPage] = useState(1);
  const [of, setOf] = useState(expression);
  if (of !== expression) {
    setOf(expression);
    setPage(1);
  }

  useEffect(() => {
    if (!isOn || expression.trim() === '' || templateKey === '') {
      reset();
      return;
    }
    const call = runQuery({ entryCollection, templateKey, jsonNataQuery: expression, page });
    return () => call.abort();
  }, [isOn, expression, entryCollection, templateKey, page, runQuery, reset]);

  const failure = error && { message: sentenceOf(error), position: errorOf(error)?.position };
  return { answer: data, failure, isRunning: isLoading, page, setPage };
}
