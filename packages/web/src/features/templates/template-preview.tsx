import { causeOf } from '../../api/failure.ts';
import type { Template } from '../../api/models.ts';
import { formatCount } from '../../ui/duration.ts';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { DataTable } from '../../ui/results/data-table.tsx';
import { RecordList } from '../../ui/results/record-list.tsx';
import { LoadingRows } from '../../ui/skeleton.tsx';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import { useAggregationQuery } from './templates-api.ts';

/** Largest number of rows in a preview. */
const ROWS = 6;

interface TemplatePreviewProps {
  entity: string;
  template: Template;
  /** Its rows alone are shown; empty: all accounts. */
  account: string;
}

/** Returns how many rows are shown: `First 6 of 260 rows`. */
function rowsText(shown: number, count: number): string {
  if (count > shown) return `First ${shown} of ${formatCount(count)} rows`;
  return count === 1 ? 'The only row' : `All ${count} rows`;
}

/** The first rows of a template, as its results will begin. */
export function TemplatePreview({ entity, template, account }: TemplatePreviewProps) {
  const isNarrow = useIsNarrow();
  const { currentData, error, isFetching, refetch } = useAggregationQuery({
    entity,
    templateKey: template.templateKey,
    page: 1,
    account,
  });
  const rows = currentData?.results.slice(0, ROWS) ?? [];
  const Rows = isNarrow ? RecordList : DataTable;
  return (
    <section aria-label="Preview" className="border-t">
      <div className="flex items-baseline justify-between gap-4 px-4 pt-4 pb-2">
        <h3 className="text-12 font-medium text-ink-3">Preview</h3>
        {currentData && rows.length > 0 && (
          <p className="text-12 text-ink-3 tabular-nums">{rowsText(rows.length, currentData.count)}</p>
        )}
      </div>
      {error !== undefined && (
        <div className="px-4 pb-4">
          <LoadFailure sentence={causeOf(error)} busy={isFetching} onRetry={refetch} />
        </div>
      )}
      {!currentData && error === undefined && (
        <div className="px-4 pb-4">
          <LoadingRows rows={ROWS} />
        </div>
      )}
      {currentData && rows.length === 0 && (
        <p className="px-4 pb-4 text-13 text-ink-3">No rows yet. Synchronize the entity to fill it.</p>
      )}
      {rows.length > 0 && <Rows rows={rows} label="Preview" preferred={template.columns} />}
    </section>
  );
}
