import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

const TONES = {
  neutral: 'bg-sunken text-ink-2',
  accent: 'bg-accent-soft text-accent-text',
  secondary: 'bg-secondary-soft text-secondary-text',
  success: 'bg-success-soft text-success-text',
  error: 'bg-error-soft text-error-text',
} as const;

export type Tone = keyof typeof TONES;

/** A short label on a tinted background. */
export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={classNames(
        'inline-flex h-5 max-w-full shrink-0 items-center gap-1.5 truncate rounded-sm px-1.5 text-12 font-medium',
        TONES[tone],
      )}
    >
      {children}
    </span>
  );
}
