import { Button } from './button.tsx';
import { NoticeLine } from './notice-line.tsx';

interface LoadFailureProps {
  sentence: string;
  /** More information about the failure. */
  detail?: string | undefined;
  onRetry: () => unknown;
  /** Whether a retry is running. */
  busy?: boolean;
}

/** Says why something could not be loaded, with a button that retries. */
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
