import { NoticeLine } from '../../ui/notice-line.tsx';

interface NotConnectedNoticeProps {
  providerTitle: string;
  /** Opens the Providers screen. */
  onProviders: () => void;
}

/** Says that the selected provider is not connected, with a link to the Providers screen. */
export function NotConnectedNotice({ providerTitle, onProviders }: NotConnectedNoticeProps) {
  return (
    <NoticeLine tone="info">
      {providerTitle} is not connected, so no new data is synchronized.{' '}
      <button
        type="button"
        className="rounded-sm font-medium text-accent-text hover:underline"
        onClick={onProviders}
      >
        Go to Providers
      </button>
    </NoticeLine>
  );
}
