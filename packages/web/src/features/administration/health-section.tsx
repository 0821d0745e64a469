import type { AdminHealth } from '@datadeck/contract';
import { RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { formatBytes } from '../../ui/byte-size.ts';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Age } from '../../ui/date-time.tsx';
import { formatCount, formatDuration } from '../../ui/duration.ts';
import { useAdminHealthQuery } from './admin-api.ts';
import { FindingList } from './finding-list.tsx';
import { Loaded } from './loaded.tsx';
import { queueTitle } from './queue-words.ts';
import { TableHead } from './table-head.tsx';

function Figure({ label, children, note }: { label: string; children: ReactNode; note?: ReactNode }) {
  return (
    <div className="min-w-0 px-4 py-3">
      <dt className="text-12 text-ink-3">{label}</dt>
      <dd className="mt-0.5 wrap-anywhere text-16 font-semibold tabular-nums">{children}</dd>
      {note !== undefined && <dd className="text-12 text-ink-3 tabular-nums">{note}</dd>}
    </div>
  );
}

function Figures({ health: { version, node, startedAt, database, disk } }: { health: AdminHealth }) {
  return (
    <dl className="grid grid-cols-2 @min-[44rem]:grid-cols-4">
      <Figure label="Version" note={`Node ${node}`}>
        {version}
      </Figure>
      <Figure label="Started">
        <Age iso={startedAt} />
      </Figure>
      <Figure label="Database" note={database && `PostgreSQL ${database.version}`}>
        {database === null ? 'Does not answer' : formatBytes(database.bytes)}
      </Figure>
      <Figure label="Free disk space" note={disk && `of ${formatBytes(disk.size)}`}>
        {disk === null ? 'Unknown' : formatBytes(disk.free)}
      </Figure>
    </dl>
  );
}

/** A number of jobs; zero is quiet. @param tone colour of other numbers */
function Count({ value, tone = 'text-ink' }: { value: number; tone?: string }) {
  return (
    <td
      className={classNames(
        'py-2 pl-3 text-right whitespace-nowrap tabular-nums',
        value === 0 ? 'text-ink-3' : `font-medium ${tone}`,
      )}
    >
      {formatCount(value)}
    </td>
  );
}

function JobTable({ jobs }: Pick<AdminHealth, 'jobs'>) {
  return (
    <table className="w-full text-13">
      <TableHead columns={['Work', 'Waiting', 'Running', 'Failed']} />
      <tbody>
        {jobs.map(({ queue, waiting, running, failed, oldestSeconds }) => (
          <tr key={queue} className="border-b last:border-b-0">
            <th scope="row" className="py-2 text-left font-normal">
              {queueTitle(queue)}
              {waiting > 0 && (
                <span className="block text-12 text-ink-3">
                  oldest has waited {formatDuration(oldestSeconds)}
                </span>
              )}
            </th>
            <Count value={waiting} />
            <Count value={running} />
            <Count value={failed} tone="text-error-text" />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function RecordTables({ tables }: Pick<AdminHealth, 'tables'>) {
  if (tables.length === 0) return <p className="text-13 text-ink-2">No records are stored yet.</p>;
  return (
    <dl>
      {tables.map(({ entity, title, bytes }) => (
        <div key={entity} className="flex justify-between gap-4 border-b py-2 text-13 last:border-b-0">
          <dt className="min-w-0 wrap-anywhere">{title}</dt>
          <dd className="shrink-0 tabular-nums">{formatBytes(bytes)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The state of the server: checks, version, database, disk, and background work. */
export function HealthSection() {
  const load = useAdminHealthQuery(undefined, { refetchOnMountOrArgChange: true });
  return (
    <div className="flex flex-col gap-4">
      <Card
        flush
        title="Server"
        actions={
          <Button
            size="sm"
            icon={<RefreshCw size={14} />}
            busy={load.isFetching}
            disabled={load.isFetching}
            onClick={() => void load.refetch()}
          >
            Refresh
          </Button>
        }
      >
        <Loaded load={load} rows={4}>
          {(health) => (
            <>
              <Figures health={health} />
              <div className="border-t">
                <FindingList label="Checks" findings={health.checks} />
              </div>
            </>
          )}
        </Loaded>
      </Card>
      {load.currentData?.database && (
        <div className="grid items-start gap-4 @min-[60rem]:grid-cols-2">
          <Card title="Background work">
            <JobTable jobs={load.currentData.jobs} />
          </Card>
          <Card title="Stored records of all accounts">
            <RecordTables tables={load.currentData.tables} />
          </Card>
        </div>
      )}
    </div>
  );
}
