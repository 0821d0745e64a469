import { CircleSlash, Hourglass } from 'lucide-react';
import { causeOf, errorOf } from '../../api/failure.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadFailure } from '../../ui/load-failure.tsx';

interface TileFailureProps {
  error: unknown;
  busy: boolean;
  onRetry: () => unknown;
}

/** Says in place why a tile shows nothing. */
export function TileFailure({ error, busy, onRetry }: TileFailureProps) {
  const code = errorOf(error)?.code;
  if (code === 'token-exhausted')
    return (
      <EmptyState
        icon={<Hourglass size={20} />}
        title="This page may show no more rows"
        hint="It has shown as many as its owner allows. Ask the person who sent the link for a new one."
      />
    );
  if (code === 'share-unreadable')
    return (
      <EmptyState
        icon={<CircleSlash size={20} />}
        title="This cannot be shown now"
        hint="Only the owner of the page can see why. Ask the person who sent the link."
        action={
          <Button size="sm" busy={busy} disabled={busy} onClick={() => void onRetry()}>
            Try again
          </Button>
        }
      />
    );
  return (
    <div className="p-3">
      <LoadFailure sentence={causeOf(error)} busy={busy} onRetry={onRetry} />
    </div>
  );
}
