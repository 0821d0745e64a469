import type { DiskUse } from '@datadeck/contract';
import { causeOf } from '../../api/failure.ts';
import { formatBytes } from '../../ui/byte-size.ts';
import { Card } from '../../ui/card.tsx';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useDiskUseQuery } from '../sign-in/accounts-api.ts';

function LoadingDiskUse() {
  return (
    <div role="status" className="flex flex-col gap-3">
      <span className="sr-only">Loading...</span>
      <Skeleton className="h-5" />
      <Skeleton className="h-5" />
    </div>
  );
}

function EntityTable({ entities }: Pick<DiskUse, 'entities'>) {
  const total = entities.reduce((sum, { bytes }) => sum + bytes, 0);
  const records = entities.reduce((sum, one) => sum + one.records, 0);
  return (
    <table className="w-full text-13">
      <thead className="text-ink-2">
        <tr>
          <th scope="col" className="pb-2 text-left font-medium">
            Entity
          </th>
          <th scope="col" className="pb-2 text-right font-medium">
            Records
          </th>
          <th scope="col" className="w-28 pb-2 text-right font-medium">
            Size, about
          </th>
        </tr>
      </thead>
      <tbody>
        {entities.map(({ entity, title, records: count, bytes }) => (
          <tr key={entity} className="border-line border-t">
            <th scope="row" className="py-2 pr-3 text-left font-normal">
              {title}
            </th>
            <td className="py-2 text-right tabular-nums">{count.toLocaleString('en')}</td>
            <td className="py-2 text-right tabular-nums">{formatBytes(bytes)}</td>
          </tr>
        ))}
      </tbody>
      {entities.length > 1 && (
        <tfoot>
          <tr className="border-line border-t font-medium">
            <th scope="row" className="pt-2 text-left font-medium">
              Total
            </th>
            <td className="pt-2 text-right tabular-nums">{records.toLocaleString('en')}</td>
            <td className="pt-2 text-right tabular-nums">{formatBytes(total)}</td>
          </tr>
        </tfoot>
      )}
    </table>
  );
}

function DiskUseContent() {
  const { data, error, isFetching, refetch } = useDiskUseQuery();
  if (data === undefined && error !== undefined)
    return <LoadFailure sentence={causeOf(error)} busy={isFetching} onRetry={refetch} />;
  if (data === undefined) return <LoadingDiskUse />;
  return (
    <div className="flex flex-col gap-4">
      {data.isDiskLow && (
        <NoticeLine tone="error">
          The disk of this server is almost full: less than 1 GB is free, and syncs stop when it is full.
          Delete data that you no longer need, or ask your administrator for more space.
        </NoticeLine>
      )}
      {data.entities.length > 0 ? (
        <EntityTable entities={data.entities} />
      ) : (
        <p className="text-13 text-ink-2">No records are stored yet. A synchronization fills this list.</p>
      )}
    </div>
  );
}

/** The 'Disk use' card: the stored records of each entity and about how much disk space they take. */
export function DiskUseCard() {
  return (
    <Card title="Disk use">
      <DiskUseContent />
    </Card>
  );
}
