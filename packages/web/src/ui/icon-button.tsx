import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label'> {
  /** Accessible name, also shown on hover. */
  label: string;
  icon: ReactNode;
  size?: 'sm' | 'md';
}

/** A square button that shows only an icon. */
export function IconButton({ label, icon, size = 'md', className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      title={label}
      {...rest}
      aria-label={label}
      className={classNames(
        'inline-flex shrink-0 items-center justify-center rounded-sm text-ink-3 transition-colors duration-100 hover:bg-hover hover:text-ink disabled:pointer-events-none disabled:opacity-50',
        size === 'sm' ? 'size-6 touch:h-10 touch:w-8' : 'size-8 touch:size-10',
        className,
      )}
    >
      {icon}
    </button>
  );
}
