import { Button } from '../../ui/button.tsx';
import { NoticeLine } from '../../ui/notice-line.tsx';

interface ReconnectNoticeProps {
  providerTitle: string;
  /** Goes to where it is connected again. */
  onProviders: () => void;
}

/** Why nothing of a provider can be synchronized, and the way out. */
export function ReconnectNotice({ providerTitle, onProviders }: ReconnectNoticeProps) {
  return (
    <NoticeLine tone="error">
      <p>
        <span className="font-medium">Reconnect needed:</span> {providerTitle} refused the stored permission.
        Connect it again to go on synchronizing; what is here stays.
      </p>
      <Button size="sm" className="mt-2" onClick={onProviders}>
        Go to Providers
      </Button>
    </NoticeLine>
  );
}
