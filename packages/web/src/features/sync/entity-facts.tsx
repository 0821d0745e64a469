import type { UserEntity } from '@datadeck/contract';
import { formatDate } from '../../ui/date-time.tsx';
import { formatCount } from '../../ui/duration.ts';
import { FormattedText } from '../../ui/formatted-text.tsx';

/** What an entity is, what it needs first, and how much of it the plan keeps. */
export function EntityFacts({ entity, providerTitle }: { entity: UserEntity; providerTitle: string }) {
  const facts: [string, string][] = [
    ['Provider', providerTitle],
    ['Depends on', entity.dependsOn.map(({ title }) => title).join(', ') || 'Nothing'],
    ['Records kept', `up to ${formatCount(entity.cap)}`],
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
