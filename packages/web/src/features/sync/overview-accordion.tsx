import type { Schedule, UserEntity } from '@datadeck/contract';
import { ChevronDown } from 'lucide-react';
import { Accordion } from 'radix-ui';
import type { ReactNode } from 'react';
import type { Sync } from '../../api/models.ts';
import { Badge } from '../../ui/badge.tsx';
import { EntityRow } from './entity-row.tsx';
import type { Overview, OverviewRow } from './overview.ts';

interface OverviewAccordionProps {
  overview: Overview;
  /** Undefined while they load. */
  entities: readonly UserEntity[] | undefined;
  /** The chosen account; empty for all. */
  account: string;
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
  entities,
  account,
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
                  entity={entities?.find(({ id }) => id === row.entityLabel)}
                  account={account}
                  syncs={syncs.filter(
                    (sync) => sync.providerId === row.providerId && sync.entityLabel === row.entityLabel,
                  )}
                  schedules={schedules.filter(({ entityLabel }) => entityLabel === row.entityLabel)}
                  accountOf={(name) => accountOf(row.providerId, name)}
                  isBlocked={Boolean(blockedReason)}
                  onDetails={() => onDetails(row)}
                />
              ))}
            </ul>
          </Accordion.Content>
        </Accordion.Item>
      ))}
    </Accordion.Root>
  );
}
