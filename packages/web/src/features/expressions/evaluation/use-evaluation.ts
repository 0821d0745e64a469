import { useEffect, useRef, useState } from 'react';
import { type EvaluationWorker, Evaluator } from './evaluator.ts';
import type { Evaluation, Variables } from './protocol.ts';

function createWorker(): EvaluationWorker {
  return new Worker(new URL('./jsonata.worker.ts', import.meta.url), { type: 'module' });
}

interface LiveEvaluation {
  evaluation: Evaluation | null;
  isRunning: boolean;
}

/** Evaluates the expression over the rows in a worker whenever either changes. Does nothing without rows or expression. */
export function useEvaluation(
  expression: string,
  rows: readonly unknown[] | undefined,
  bindings?: Variables | undefined,
): LiveEvaluation {
  const evaluator = useRef<Evaluator>(null);
  const [state, setState] = useState<LiveEvaluation>({ evaluation: null, isRunning: false });

  useEffect(() => {
    if (rows === undefined || expression.trim() === '') {
      setState({ evaluation: null, isRunning: false });
      return;
    }
    let isCurrent = true;
    evaluator.current ??= new Evaluator(createWorker);
    setState(({ evaluation }) => ({ evaluation, isRunning: true }));
    void evaluator.current.evaluate(expression, rows, bindings).then((evaluation) => {
      if (isCurrent) setState({ evaluation, isRunning: false });
    });
    return () => {
      isCurrent = false;
    };
  }, [expression, rows, bindings]);

  useEffect(
    () => () => {
      evaluator.current?.close();
      evaluator.current = null;
    },
    [],
  );
  return state;
}
