import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';

interface NoticeCardProps {
  icon: LucideIcon;
  title: string;
  children: ReactNode;
  /** Below the text, side by side. */
  actions?: ReactNode;
}

/** Fills a screen that has one message: what happened, and what to do. */
export function NoticeCard({ icon: Icon, title, children, actions }: NoticeCardProps) {
  useEffect(() => {
    document.title = `${title} · Datadeck`;
  }, [title]);
  return (
    <div className="mx-auto mt-4 max-w-120 rounded-md border bg-surface p-6 shadow-low sm:mt-12 sm:p-8">
      <span
        aria-hidden="true"
        className="mb-4 grid size-10 place-items-center rounded-md bg-sunken text-ink-3"
      >
        <Icon size={20} />
      </span>
      <h1 className="text-balance wrap-anywhere text-20 font-semibold tracking-tight">{title}</h1>
      <div className="mt-2 flex flex-col gap-3 wrap-anywhere text-14 text-ink-2">{children}</div>
      {actions !== undefined && <div className="mt-6 flex flex-wrap gap-2">{actions}</div>}
    </div>
  );
}
