import { Button } from './button.tsx';
import { NoticeLine } from './notice-line.tsx';

interface LoadFailureProps {
  sentence: string;
  /** More about it. */
  detail?: string | undefined;
  onRetry: () => unknown;
  /** It is being tried again. */
  busy?: boolean;
}

/** What could not be loaded: why, and a button that tries again. */
export function LoadFailure({ sentence, detail, onRetry, busy = false }: LoadFailureProps) {
  return (
    <NoticeLine tone="error">
      <p>{sentence}</p>
      {detail !== undefined && <p className="mt-1 wrap-anywhere">{detail}</p>}
      <Button size="sm" busy={busy} disabled={busy} className="mt-2" onClick={() => void onRetry()}>
        Try again
      </Button>
    </NoticeLine>
  );
}
