import { ChevronDown, Lock } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { classNames } from '../../ui/class-names.ts';
import type { NavGroup, NavItem } from './navigation.ts';

const ITEM = 'flex h-8 touch:h-10 items-center gap-3 rounded-sm text-13 transition-colors duration-100';

interface ItemProps {
  item: NavItem;
  isCurrent: boolean;
  isCollapsed: boolean;
  onNavigate: (() => void) | undefined;
}

function Item({ item, isCurrent, isCollapsed, onNavigate }: ItemProps) {
  const Icon = item.icon;
  const layout = isCollapsed ? 'w-10 justify-center' : 'px-3';
  const content = (
    <>
      <Icon aria-hidden="true" size={16} className="shrink-0" />
      <span className={isCollapsed ? 'sr-only' : 'min-w-0 flex-1 truncate'}>{item.title}</span>
      {item.isBlocked && !isCollapsed && <Lock aria-hidden="true" size={12} />}
    </>
  );
  if (item.isBlocked)
    return (
      <span
        aria-disabled="true"
        title="Not available"
        className={classNames(ITEM, layout, 'text-ink-3 opacity-60')}
      >
        {content}
      </span>
    );
  return (
    <Link
      to={item.path}
      title={isCollapsed ? item.title : undefined}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={onNavigate}
      className={classNames(
        ITEM,
        layout,
        isCurrent
          ? 'bg-accent-soft font-medium text-accent-text'
          : 'text-ink-2 hover:bg-hover hover:text-ink',
      )}
    >
      {content}
    </Link>
  );
}

interface SidebarNavProps {
  groups: readonly NavGroup[];
  isCollapsed: boolean;
  /** Called after an entry is chosen. */
  onNavigate?: () => void;
}

/** The groups of the sidebar. The group of the current route opens automatically. */
export function SidebarNav({ groups, isCollapsed, onNavigate }: SidebarNavProps) {
  const { pathname } = useLocation();
  const active = groups.find(({ items }) => items.some(({ path }) => path === pathname))?.title;
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(groups.map(({ title }) => title)));
  useEffect(() => {
    if (active !== undefined) setOpen((titles) => new Set([...titles, active]));
  }, [active]);

  function toggle(title: string) {
    const next = new Set(open);
    if (!next.delete(title)) next.add(title);
    setOpen(next);
  }

  return (
    <nav aria-label="Main" className={classNames('flex flex-col gap-1 p-3', isCollapsed && 'items-center')}>
      {groups.map(({ title, items }) => {
        const isOpen = isCollapsed || open.has(title);
        return (
          <div
            key={title}
            className={classNames('flex flex-col gap-0.5', isCollapsed && 'border-b py-2 last:border-b-0')}
          >
            {!isCollapsed && (
              <button
                type="button"
                aria-expanded={isOpen}
                onClick={() => toggle(title)}
                className="flex h-8 touch:h-10 items-center justify-between rounded-sm px-3 text-12 font-medium text-ink-3 hover:text-ink"
              >
                {title}
                <ChevronDown
                  aria-hidden="true"
                  size={14}
                  className={classNames('transition-transform duration-150', !isOpen && '-rotate-90')}
                />
              </button>
            )}
            {isOpen && (
              <ul className="flex flex-col gap-0.5" aria-label={title}>
                {items.map((item) => (
                  <li key={item.path}>
                    <Item
                      item={item}
                      isCurrent={item.path === pathname}
                      isCollapsed={isCollapsed}
                      onNavigate={onNavigate}
                    />
                  </li>
                ))}
              </ul>
            )}
          </div>
        );
      })}
    </nav>
  );
}
