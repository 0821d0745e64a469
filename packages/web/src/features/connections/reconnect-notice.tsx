import { Button } from '../../ui/button.tsx';
import { NoticeLine } from '../../ui/notice-line.tsx';

interface ReconnectNoticeProps {
  providerTitle: string;
  /** Name of the account, where the provider has several. */
  account?: string | undefined;
  /** Opens the Providers screen. */
  onProviders: () => void;
}

/** Says that a provider must be connected again, with a button that leads to the Providers screen. */
export function ReconnectNotice({ providerTitle, account, onProviders }: ReconnectNoticeProps) {
  return (
    <NoticeLine tone="error">
      <p>
        <span className="font-medium">Reconnect needed:</span> {providerTitle} rejected the stored credentials
        {account !== undefined && ` of ${account}`}. Connect it again to continue synchronizing. Your
        synchronized data is kept.
      </p>
      <Button size="sm" className="mt-2" onClick={onProviders}>
        Go to Providers
      </Button>
    </NoticeLine>
  );
}
