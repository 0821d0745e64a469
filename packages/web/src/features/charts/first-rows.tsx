import { DataTable } from '../../ui/results/data-table.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useFirstRowsQuery, type ViewChart } from './charts-api.ts';

interface FirstRowsProps extends Pick<ViewChart, 'viewId' | 'parameters' | 'account'> {
  title: string;
  isText: boolean;
}

/** The first rows of a view as a table, or a text as it is. */
export function FirstRows({ title, isText, ...view }: FirstRowsProps) {
  const { data } = useFirstRowsQuery(view);
  if (!data) return <Skeleton className="h-40" />;
  const [first] = data.results;
  if (isText)
    return (
      <p dir="auto" className="whitespace-pre-wrap wrap-anywhere text-16">
        {data.results.map((row) => (typeof row === 'object' ? JSON.stringify(row) : String(row))).join('\n')}
      </p>
    );
  return <DataTable rows={data.isArray ? data.results : [first]} label={title} />;
}
