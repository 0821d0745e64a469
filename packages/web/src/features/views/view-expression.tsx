import { useMemo } from 'react';
import { ExpressionField } from '../expressions/expression-field.tsx';
import { useSample, useSamples } from './use-samples.ts';
import type { RenderExpression, ViewExpressionProps } from './view-fields.tsx';

/** The expression editor of the view dialogs. It evaluates over the first rows of the view's bases. */
function ViewExpression({ source, bases, bindings, ...field }: ViewExpressionProps) {
  const rows = useSample(source);
  const samples = useSamples(bases);
  const variables = useMemo(() => ({ ...bindings, ...samples }), [bindings, samples]);
  return <ExpressionField {...field} rows={rows} bindings={variables} />;
}

export const renderExpression: RenderExpression = (props) => <ViewExpression {...props} />;
