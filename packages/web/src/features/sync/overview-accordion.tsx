import type { Schedule } from '@datadeck/contract';
import { ChevronDown } from 'lucide-react';
import { Accordion } from 'radix-ui';
import type { ReactNode } from 'react';
import type { Sync } from '../../api/models.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { formatCount } from '../../ui/duration.ts';
import type { Overview, OverviewRow } from './overview.ts';
import { ScheduleMark } from './schedule-mark.tsx';
import { ProgressBar } from './sync-progress.tsx';
import { SyncStatusLine } from './sync-status.tsx';

interface OverviewAccordionProps {
  overview: Overview;
  syncs: readonly Sync[];
  schedules: readonly Schedule[];
  /** Renders the logo of a provider, by its id. */
  markOf: (providerId: string) => ReactNode;
  /** Returns the name of an account by its provider's id; undefined if the provider shows one account. */
  accountOf: (providerId: string, account: string) => string | undefined;
  /** Renders why a provider cannot be synchronized, by its id; null when it can. */
  blockedReasonOf: (providerId: string) => ReactNode;
  onDetails: (row: OverviewRow) => void;
}

function RowState({ row, sync }: { row: OverviewRow; sync: Sync | undefined }) {
  const progress = sync?.progress;
  if (sync && progress)
    return (
      <div className="flex w-full flex-col gap-1.5 @min-[32rem]:w-64">
        <div className="flex items-center justify-between gap-3">
          <SyncStatusLine status="started" updatedAt={row.currentSyncUpdatedAt} />
          <span className="text-12 text-ink-2 tabular-nums">
            {formatCount(progress.records)}
            {progress.total !== null && ` / ${formatCount(progress.total)}`}
          </span>
        </div>
        <ProgressBar progress={progress} label={`${row.entityLabelTitle} synchronization progress`} />
      </div>
    );
  return (
    <div className="@min-[32rem]:w-64">
      <SyncStatusLine
        status={row.currentSyncStatus || row.lastSyncStatus}
        updatedAt={row.currentSyncUpdatedAt || row.lastSyncUpdatedAt}
      />
    </div>
  );
}

interface EntityRowProps
  extends Pick<OverviewAccordionProps, 'syncs' | 'schedules' | 'accountOf' | 'onDetails'> {
  row: OverviewRow;
}

/** One entity: its title, schedules, and current or last sync with its account. */
function EntityRow({ row, syncs, schedules, accountOf, onDetails }: EntityRowProps) {
  const shown = syncs.find(({ id }) => id === (row.currentSyncId || row.lastSyncId));
  const account = shown && accountOf(row.providerId, shown.account);
  return (
    <li className="flex flex-wrap items-baseline gap-x-4 gap-y-2 border-b px-4 py-3 last:border-b-0">
      <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-4 gap-y-0.5">
        <span title={row.entityLabelTitle} className="truncate text-14 font-medium">
          {row.entityLabelTitle}
        </span>
        {account !== undefined && (
          <span title={account} className="min-w-0 max-w-full truncate text-12 text-ink-3">
            {account}
          </span>
        )}
        <ScheduleMark schedules={schedules.filter(({ entityLabel }) => entityLabel === row.entityLabel)} />
      </span>
      <span className="order-3 w-full @min-[32rem]:order-none @min-[32rem]:w-auto">
        <RowState row={row} sync={syncs.find(({ id }) => id === row.currentSyncId)} />
      </span>
      <Button size="sm" aria-label={`Details of ${row.entityLabelTitle}`} onClick={() => onDetails(row)}>
        Details
      </Button>
    </li>
  );
}

interface ProviderHeaderProps {
  title: string;
  mark: ReactNode;
  isBlocked: boolean;
  /** Number of entities. */
  count: number;
}

/** The heading of a provider, which expands and collapses its entities. */
function ProviderHeader({ title, mark, isBlocked, count }: ProviderHeaderProps) {
  return (
    <Accordion.Header asChild>
      <h2>
        <Accordion.Trigger className="group flex h-14 w-full items-center gap-3 rounded-md px-4 text-left text-14 font-semibold">
          {mark}
          {title}
          {isBlocked && <Badge tone="error">Reconnect needed</Badge>}
          <span className="ml-auto text-12 font-normal text-ink-3">
            {count === 1 ? '1 entity' : `${count} entities`}
          </span>
          <ChevronDown
            aria-hidden="true"
            size={16}
            className="text-ink-3 transition-transform duration-150 group-data-[state=closed]:-rotate-90"
          />
        </Accordion.Trigger>
      </h2>
    </Accordion.Header>
  );
}

/** The entities of each connected provider with their current or last sync. */
export function OverviewAccordion({
  overview,
  syncs,
  schedules,
  accountOf,
  markOf,
  blockedReasonOf,
  onDetails,
}: OverviewAccordionProps) {
  const providers = Object.entries(overview).map(([title, rows]) => {
    const providerId = rows[0]?.providerId ?? '';
    return { title, rows, mark: markOf(providerId), blockedReason: blockedReasonOf(providerId) };
  });
  return (
    <Accordion.Root
      type="multiple"
      defaultValue={providers.map(({ title }) => title)}
      className="@container flex flex-col gap-4"
    >
      {providers.map(({ title, rows, mark, blockedReason }) => (
        <Accordion.Item key={title} value={title} className="rounded-md border bg-surface shadow-low">
          <ProviderHeader title={title} mark={mark} isBlocked={Boolean(blockedReason)} count={rows.length} />
          <Accordion.Content>
            {blockedReason && <div className="border-t p-4">{blockedReason}</div>}
            <ul className="border-t">
              {rows.map((row) => (
                <EntityRow
                  key={row.entityLabel}
                  row={row}
                  syncs={syncs}
                  schedules={schedules}
                  accountOf={accountOf}
                  onDetails={onDetails}
                />
              ))}
            </ul>
          </Accordion.Content>
        </Accordion.Item>
      ))}
    </Accordion.Root>
  );
}
