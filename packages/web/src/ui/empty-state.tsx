import type { ReactNode } from 'react';

interface EmptyStateProps {
  icon: ReactNode;
  title: string;
  /** What to do next. */
  hint?: ReactNode;
  action?: ReactNode;
}

/** Says that there is no content and what to do about it. In a card, use `flush`. */
export function EmptyState({ icon, title, hint, action }: EmptyStateProps) {
  return (
    <div className="flex h-full min-h-56 flex-col items-center justify-center gap-1 p-6 text-center">
      <span
        aria-hidden="true"
        className="mb-2 grid size-10 place-items-center rounded-md bg-sunken text-ink-3"
      >
        {icon}
      </span>
      <p className="text-14 font-medium">{title}</p>
      {hint !== undefined && <p className="max-w-80 text-balance text-13 text-ink-3">{hint}</p>}
      {action !== undefined && <div className="mt-3">{action}</div>}
    </div>
  );
}
