import type { ReactNode } from 'react';
import { classNames } from '../../ui/class-names.ts';

interface PageFrameProps {
  /** Before the title, always in the same place. */
  mark: ReactNode;
  title?: ReactNode;
  actions?: ReactNode;
  footer?: ReactNode;
  children: ReactNode;
}

/** The quiet frame of a shared page: a line with its title, and one with its end. */
export function PageFrame({ mark, title, actions, footer, children }: PageFrameProps) {
  return (
    <div className="mx-auto flex w-full max-w-[1440px] flex-1 flex-col gap-4 px-4 py-4 sm:px-6">
      <header className={classNames('flex items-center gap-4', title !== undefined && 'border-b pb-4')}>
        <div className="flex min-h-12 min-w-0 flex-1 items-center gap-3">
          {mark}
          {title}
        </div>
        {actions}
      </header>
      <div className="flex flex-1 flex-col gap-4">{children}</div>
      {footer}
    </div>
  );
}
