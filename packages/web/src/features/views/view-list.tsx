import { ChevronDown, Layers } from 'lucide-react';
import { Collapsible } from 'radix-ui';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Category, View } from '../../api/models.ts';
import { Badge } from '../../ui/badge.tsx';
import { classNames } from '../../ui/class-names.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ListSearchBox, useListSearch } from '../../ui/list-search.tsx';
import { groupViews } from './view-groups.ts';

interface ViewListProps {
  views: readonly View[];
  categories: readonly Category[];
  /** Names the entity of a view, as a badge. */
  titleOf?: ((view: View) => string) | undefined;
  selected: string;
  onSelect: (view: View) => void;
  /** The action offered by an empty list. */
  emptyAction: ReactNode;
}

function Entry({
  view,
  entityTitle,
  isSelected,
  onSelect,
}: {
  view: View;
  entityTitle: string | undefined;
  isSelected: boolean;
  onSelect: (view: View) => void;
}) {
  return (
    <li>
      <button
        type="button"
        aria-pressed={isSelected}
        onClick={() => onSelect(view)}
        className={classNames(
          'flex w-full scroll-my-14 flex-col rounded-sm px-3 py-2 text-left transition-colors duration-100',
          isSelected ? 'bg-accent-soft' : 'hover:bg-hover',
        )}
      >
        <span className="flex w-full items-center gap-2">
          <span
            dir="auto"
            title={view.title}
            className={classNames(
              'min-w-0 flex-1 truncate text-left text-13 font-medium',
              isSelected ? 'text-accent-text' : 'text-ink',
            )}
          >
            {view.title}
          </span>
          {entityTitle !== undefined && <Badge>{entityTitle}</Badge>}
        </span>
        <span
          dir="auto"
          title={view.description}
          className="line-clamp-1 break-all text-left text-12 text-ink-3"
        >
          {view.description}
        </span>
      </button>
    </li>
  );
}

/** Scrolls the list so that the selected entry is visible. */
function useSelectedInView(selected: string) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const frame = list.current?.parentElement;
    const entry = selected === '' ? null : list.current?.querySelector('[aria-pressed="true"]');
    if (!frame || !entry || frame.scrollHeight <= frame.clientHeight) return;
    const [within, at] = [frame.getBoundingClientRect(), entry.getBoundingClientRect()];
    const isInSight = at.bottom > within.top && at.top < Math.min(within.bottom, window.innerHeight);
    if (!isInSight) entry.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  return list;
}

/** Views: collapsible groups by category, then uncategorised views. */
export function ViewList({ views, categories, titleOf, selected, onSelect, emptyAction }: ViewListProps) {
  const { shown, box } = useListSearch(
    views,
    (view) => `${view.title} ${view.description} ${titleOf?.(view) ?? ''}`,
  );
  const list = useSelectedInView(selected);
  if (views.length === 0)
    return (
      <EmptyState
        icon={<Layers size={20} />}
        title="No views available for selected filters"
        hint="Run a template on the Query screen, then save its result with Save as View."
        action={emptyAction}
      />
    );
  return (
    <div ref={list} className="flex flex-col">
      {box && (
        <div className="sticky top-0 z-10 border-b bg-surface p-2">
          <ListSearchBox label="Search views" box={box} />
        </div>
      )}
      <div className="flex flex-col gap-1 p-2">
        {groupViews(shown, categories).map(({ category, views: members }) => {
          const list = (
            <ul className="flex flex-col gap-0.5">
              {members.map((view) => (
                <Entry
                  key={view.id}
                  view={view}
                  entityTitle={titleOf?.(view)}
                  isSelected={view.id === selected}
                  onSelect={onSelect}
                />
              ))}
            </ul>
          );
          if (!category)
            return (
              <div key="none" className="not-first:mt-1 not-first:border-t not-first:pt-2">
                {list}
              </div>
            );
          return (
            <Collapsible.Root key={category.id} defaultOpen>
              <Collapsible.Trigger className="group flex h-8 touch:h-10 w-full items-center gap-2 rounded-sm px-3 text-12 font-medium text-ink-3 hover:text-ink">
                <ChevronDown
                  aria-hidden="true"
                  size={14}
                  className="shrink-0 transition-transform duration-150 group-data-[state=closed]:-rotate-90"
                />
                <span dir="auto" title={category.title} className="truncate">
                  {category.title}
                </span>
                <span className="ml-auto tabular-nums">{members.length}</span>
              </Collapsible.Trigger>
              <Collapsible.Content>{list}</Collapsible.Content>
            </Collapsible.Root>
          );
        })}
        {shown.length === 0 && <p className="px-3 py-2 text-13 text-ink-3">No view matches the search.</p>}
      </div>
    </div>
  );
}
