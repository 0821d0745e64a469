import { ExpressionField } from '../expressions/expression-field.tsx';
import { useAggregationQuery } from '../templates/templates-api.ts';
import type { RenderExpression, ViewExpressionProps } from './view-fields.tsx';
import { useViewResultsQuery } from './views-api.ts';

/** The expression editor of the view dialogs. It evaluates over the first rows of the view's base or template. */
function ViewExpression({ source, ...field }: ViewExpressionProps) {
  const viewId = source?.basedOn ?? '';
  const { entityLabel = '', templateKey = '', search = '' } = source ?? {};
  const hasBaseView = viewId !== '';
  const base = useViewResultsQuery({ viewId, page: 1 }, { skip: !hasBaseView });
  const template = useAggregationQuery(
    { entity: entityLabel, templateKey, page: 1, ...(search !== '' && { search }) },
    { skip: hasBaseView || templateKey === '' },
  );
  const sample = hasBaseView ? base.currentData : template.currentData;
  return <ExpressionField {...field} rows={sample?.results} />;
}

export const renderExpression: RenderExpression = (props) => <ViewExpression {...props} />;
