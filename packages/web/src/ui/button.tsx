import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Spinner } from './spinner.tsx';

const VARIANTS = {
  primary: 'bg-accent text-on-accent shadow-low hover:bg-accent-hover',
  secondary: 'border border-line-strong bg-surface text-ink shadow-low hover:bg-hover',
  ghost: 'text-ink-2 hover:bg-hover hover:text-ink',
  danger: 'border border-line-strong bg-surface text-error-text shadow-low hover:bg-error-soft',
} as const;

const SIZES = {
  sm: 'h-7 touch:h-10 gap-1.5 px-2.5 text-12',
  md: 'h-8 touch:h-10 gap-2 px-3 text-13',
  lg: 'h-10 gap-2 px-4 text-14',
} as const;

export interface ButtonProps extends ComponentProps<'button'> {
  variant?: keyof typeof VARIANTS;
  size?: keyof typeof SIZES;
  icon?: ReactNode;
  /** Shows a spinner instead of the icon while an action runs. */
  busy?: boolean;
}

/** A button; all buttons with text use it. */
export function Button({
  variant = 'secondary',
  size = 'md',
  icon,
  busy = false,
  className,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classNames(
        'inline-flex shrink-0 select-none items-center justify-center whitespace-nowrap rounded-sm font-medium transition-colors duration-100',
        'disabled:border-line disabled:bg-sunken disabled:text-ink-3 disabled:shadow-none',
        variant === 'ghost' && 'disabled:bg-transparent',
        VARIANTS[variant],
        SIZES[size],
        className,
      )}
    >
      {busy ? <Spinner /> : icon}
      {children}
    </button>
  );
}
