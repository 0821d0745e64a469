import type { UserEntity } from '@datadeck/contract';
import { formatDate } from '../../ui/date-time.tsx';
import { formatCount } from '../../ui/duration.ts';
import { FormattedText } from '../../ui/formatted-text.tsx';

interface EntityFactsProps {
  entity: UserEntity;
  providerTitle: string;
  /** Name of the account; undefined if there is one. */
  accountTitle?: string | undefined;
  /** Maximum number of records that a sync keeps; none for no limit. */
  cap: number | null | undefined;
  /** Whether the data is the sample of a demo workspace. */
  isSample: boolean;
}

/** Describes how many records a sync keeps, and why there may be more here. */
function keptInWords({ cap, isSample }: Pick<EntityFactsProps, 'cap' | 'isSample'>): string {
  if (cap === undefined || cap === null) return isSample ? 'the whole sample' : 'all (no limit)';
  return `up to ${formatCount(cap)}${isSample ? ' per sync; the sample data contains more' : ''}`;
}

/** Describes an entity: what it is, what it depends on, and how many records a sync keeps. */
export function EntityFacts({ entity, providerTitle, accountTitle, ...kept }: EntityFactsProps) {
  const facts: [string, string][] = [
    ['Provider', providerTitle],
    ...(accountTitle === undefined ? [] : [['Account', accountTitle] as [string, string]]),
    ['Depends on', entity.dependsOn.map(({ title }) => title).join(', ') || 'Nothing'],
    ['Records kept', keptInWords(kept)],
    ['Limit resets', formatDate(entity.usage.resetsAt)],
  ];
  return (
    <div className="flex flex-col gap-3">
      <FormattedText html={entity.description} />
      <dl className="grid grid-cols-[2fr_3fr] gap-x-6 gap-y-2">
        {facts.map(([name, value]) => (
          <div key={name} className="min-w-0">
            <dt className="text-12 text-ink-3">{name}</dt>
            <dd className="text-13 tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
