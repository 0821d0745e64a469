import { CircleAlert, Info } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** A message that stays on the page: what happened and what to do. */
export function NoticeLine({ tone, children }: { tone: 'info' | 'error'; children: ReactNode }) {
  const Icon = tone === 'error' ? CircleAlert : Info;
  return (
    <div
      role={tone === 'error' ? 'alert' : 'note'}
      className={classNames(
        'flex items-start gap-2 rounded-sm px-3 py-2 text-13',
        tone === 'error' ? 'bg-error-soft text-error-text' : 'bg-sunken text-ink-2',
      )}
    >
      <Icon aria-hidden="true" size={16} className="mt-0.5 shrink-0" />
      <div className="min-w-0 break-words">{children}</div>
    </div>
  );
}
