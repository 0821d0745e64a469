import { Button } from '../../ui/button.tsx';
import { NoticeLine } from '../../ui/notice-line.tsx';

interface NotConnectedNoticeProps {
  providerTitle: string;
  /** Goes to where it is connected. */
  onProviders: () => void;
}

/** Why there may be nothing of the chosen provider, and the way to have something. */
export function NotConnectedNotice({ providerTitle, onProviders }: NotConnectedNoticeProps) {
  return (
    <NoticeLine tone="info">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p>{providerTitle} is not connected: nothing new comes in. What was synchronized before is here.</p>
        <Button size="sm" onClick={onProviders}>
          Go to Providers
        </Button>
      </div>
    </NoticeLine>
  );
}
