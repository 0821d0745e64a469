import { ExpressionField } from '../../features/queries/expression-field.tsx';
import { useAggregationQuery } from '../../features/templates/templates-api.ts';
import type { ViewExpressionProps } from '../../features/views/view-fields.tsx';
import { useViewResultsQuery } from '../../features/views/views-api.ts';

/** The expression of a view in its dialogs: the editor of the Query page, over the first rows of what the view builds on. */
export function ViewExpression({ source, ...field }: ViewExpressionProps) {
  const viewId = source?.basedOn ?? '';
  const { entityLabel = '', templateKey = '' } = source ?? {};
  const isUponView = viewId !== '';
  const base = useViewResultsQuery({ viewId, page: 1 }, { skip: !isUponView });
  const template = useAggregationQuery(
    { entity: entityLabel, templateKey, page: 1 },
    { skip: isUponView || templateKey === '' },
  );
  const sample = isUponView ? base.currentData : template.currentData;
  return <ExpressionField {...field} rows={sample?.results} />;
}
