import type { Verification } from '@datadeck/contract';
import { ShieldCheck } from 'lucide-react';
import { sentenceOf } from '../../api/failure.ts';
import type { Sync } from '../../api/models.ts';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { formatCount } from '../../ui/duration.ts';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { useVerifySyncMutation } from './sync-api.ts';

/** Describes the result of a comparison with the provider, and what to do about it. */
export function verificationSentence({ provider, stored, missing, gone }: Verification): string {
  if (missing === 0 && gone === 0) {
    const [held, all] = [formatCount(stored), formatCount(provider)];
    return stored < provider
      ? `Checked with the provider just now: ${held} of ${all} records are stored, the maximum of the plan at that time.`
      : `Checked with the provider just now: all ${held} records are stored.`;
  }
  const found = [
    missing > 0 ? `${formatCount(missing)} not synchronized yet` : null,
    gone > 0 ? `${formatCount(gone)} deleted at the provider` : null,
  ].filter((part) => part !== null);
  return `The provider has changed since the sync: ${found.join(', ')}. Start a sync to update.`;
}

/** A button that compares the stored ids with the provider's, without fetching records, and the result below it. */
export function VerifySync({ sync }: { sync: Sync }) {
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  const [verify, { data, error, isLoading }] = useVerifySyncMutation();
  return (
    <>
      <Button
        size="sm"
        icon={<ShieldCheck size={14} />}
        busy={isLoading}
        disabled={!mayChange || isLoading}
        title={forbidden}
        onClick={() => void verify(sync.id)}
      >
        Verify
      </Button>
      {/* Below the row of buttons, so that the buttons do not move. */}
      <div aria-live="polite" className="-mt-2 basis-full *:mt-2">
        {error !== undefined && <NoticeLine tone="error">{sentenceOf(error)}</NoticeLine>}
        {data !== undefined && error === undefined && (
          <NoticeLine tone="info">{verificationSentence(data)}</NoticeLine>
        )}
      </div>
    </>
  );
}
