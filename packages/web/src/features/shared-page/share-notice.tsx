import { CircleSlash, Hourglass, Link2Off, type LucideIcon, WifiOff } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { causeOf, errorOf, isUnreachable } from '../../api/failure.ts';
import { Button } from '../../ui/button.tsx';

interface ShareNoticeProps {
  icon: LucideIcon;
  title: string;
  hint: ReactNode;
  action?: ReactNode;
}

/** Fills the page when there is nothing to show: what happened, and what to do. */
export function ShareNotice({ icon: Icon, title, hint, action }: ShareNoticeProps) {
  useEffect(() => {
    document.title = `${title} · Datadeck`;
  }, [title]);
  return (
    <div className="grid min-h-80 flex-1 place-items-center pb-12 sm:p-6 sm:pb-16">
      <div className="flex max-w-100 flex-col items-center text-center">
        <span
          aria-hidden="true"
          className="mb-4 grid size-12 place-items-center rounded-md border bg-surface text-ink-3 shadow-low"
        >
          <Icon size={22} />
        </span>
        <h1 className="text-balance text-20 font-semibold tracking-tight">{title}</h1>
        <p className="mt-1.5 text-balance text-14 text-ink-2">{hint}</p>
        {action !== undefined && <div className="mt-5">{action}</div>}
      </div>
    </div>
  );
}

/** A link that has lost a part, such as one that a mail program has cut. */
export function BrokenLink() {
  return (
    <ShareNotice
      icon={Link2Off}
      title="This link is not complete"
      hint="A part of it is missing, perhaps its end after the #. Copy the whole link, or ask the person who sent it."
    />
  );
}

/** Says why a shared page cannot be shown. */
export function ShareFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const code = errorOf(error)?.code;
  if (code === 'share-ended')
    return (
      <ShareNotice
        icon={CircleSlash}
        title="This page is not shared any more"
        hint="It has expired, its owner has ended it, or the link is not complete. Ask the person who sent the link for a new one."
      />
    );
  if (code === 'sharing-off')
    return (
      <ShareNotice
        icon={CircleSlash}
        title="Sharing is turned off"
        hint="The administrator of this server has turned off all shared pages. Ask the person who sent the link."
      />
    );
  if (code === 'token-exhausted')
    return (
      <ShareNotice
        icon={Hourglass}
        title="This page may show no more rows"
        hint="It has shown as many as its owner allows. Ask the person who sent the link for a new one."
      />
    );
  return (
    <ShareNotice
      icon={isUnreachable(error) ? WifiOff : CircleSlash}
      title="The page could not be opened"
      hint={causeOf(error)}
      action={
        <Button variant="primary" onClick={onRetry}>
          Try again
        </Button>
      }
    />
  );
}
