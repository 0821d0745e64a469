import { DropdownMenu } from 'radix-ui';
import { Fragment, type ReactNode, useRef } from 'react';
import { classNames } from './class-names.ts';

export interface MenuItem {
  label: string;
  icon?: ReactNode;
  onSelect: () => void;
  disabled?: boolean;
  /** Why it is disabled. */
  title?: string | undefined;
  danger?: boolean;
  /** Draws a line above this item. */
  separated?: boolean;
  /** Title of the group in which it is shown; items without one come first. */
  group?: string;
}

interface MenuProps {
  /** A button that accepts a ref. */
  trigger: ReactNode;
  items: MenuItem[];
  /** Text above the items. */
  heading?: ReactNode;
  align?: 'start' | 'end';
}

function MenuEntry({ item, onSelect }: { item: MenuItem; onSelect: () => void }) {
  return (
    <>
      {item.separated && <DropdownMenu.Separator className="my-1 border-t" />}
      <DropdownMenu.Item
        disabled={item.disabled ?? false}
        title={item.title}
        onSelect={onSelect}
        className={classNames(
          'flex h-8 touch:h-10 cursor-pointer select-none items-center gap-2 rounded-sm px-2 text-13 outline-none',
          'data-[disabled]:cursor-default data-[disabled]:opacity-50 data-[highlighted]:bg-hover',
          item.danger ? 'text-error-text' : 'text-ink',
        )}
      >
        {item.icon}
        {item.label}
      </DropdownMenu.Item>
    </>
  );
}

/** A menu of commands. A command runs after the focus is back on the trigger, so that a dialog can return it there. */
export function Menu({ trigger, items, heading, align = 'end' }: MenuProps) {
  const chosen = useRef<(() => void) | null>(null);
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          sideOffset={6}
          collisionPadding={8}
          onCloseAutoFocus={() => {
            const run = chosen.current;
            chosen.current = null;
            if (run) setTimeout(run);
          }}
          className="z-60 max-h-80 min-w-44 animate-fade overflow-y-auto rounded-md bg-raised p-1 shadow-high"
        >
          {heading !== undefined && <div className="border-b px-2 pt-1 pb-2">{heading}</div>}
          {[...new Set(items.map(({ group }) => group))].map((group) => {
            const entries = items
              .filter((item) => item.group === group)
              .map((item) => (
                <MenuEntry
                  key={item.label}
                  item={item}
                  onSelect={() => {
                    chosen.current = item.onSelect;
                  }}
                />
              ));
            return group === undefined ? (
              <Fragment key="">{entries}</Fragment>
            ) : (
              <DropdownMenu.Group
                key={group}
                aria-label={group}
                className="not-first:mt-1 not-first:border-t"
              >
                <DropdownMenu.Label className="px-2 pt-2 pb-1 text-12 font-medium text-ink-3">
                  {group}
                </DropdownMenu.Label>
                {entries}
              </DropdownMenu.Group>
            );
          })}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
