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
      {providerTitle} is not connected: nothing new comes in from it.{' '}
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
