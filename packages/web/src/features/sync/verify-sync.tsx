import type { Verification } from '@datadeck/contract';
import { ShieldCheck } from 'lucide-react';
import { sentenceOf } from '../../api/failure.ts';
import type { Sync } from '../../api/models.ts';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { formatCount } from '../../ui/duration.ts';
import { NoticeLine } from '../../ui/notice-line.tsx';
import type { EntityInAccount } from './entity-account.ts';
import { countScopes, groupByMessage } from './source-words.ts';
import { useVerifySyncMutation } from './sync-api.ts';

type ScopeComparison = NonNullable<Verification['scopes']>;

/** Describes the records that differ, without those that are equal. */
function foundIn({ missing, gone }: Pick<Verification, 'missing' | 'gone'>): string[] {
  return [
    missing > 0 ? `${formatCount(missing)} not synchronized yet` : null,
    gone > 0 ? `${formatCount(gone)} deleted at the provider` : null,
  ].filter((part) => part !== null);
}

/** Describes the result of a comparison with the provider, and what to do about it. */
export function verificationSentence({ provider, stored, missing, gone }: Verification): string {
  if (missing === 0 && gone === 0) {
    const [held, all] = [formatCount(stored), formatCount(provider)];
    return stored < provider
      ? `Checked with the provider just now: ${held} of ${all} records are stored, the maximum of the plan at that time.`
      : `Checked with the provider just now: all ${held} records are stored.`;
  }
  return `The provider has changed since the sync: ${foundIn({ missing, gone }).join(', ')}. Start a sync to update.`;
}

/** Number of scopes that are named. */
const NAMED = 20;

/** Describes the scopes that differ from the provider or could not be compared: `octo/hello: 1 not synchronized yet`. */
function differencesOf(scopes: ScopeComparison, entity: EntityInAccount) {
  return groupByMessage(
    scopes.results.slice(0, NAMED).map(({ name, message, missing, gone }) => ({
      name,
      message: message ?? foundIn({ missing, gone }).join(', '),
    })),
    entity,
  );
}

/** Lists the scopes that differ from the provider, and says how many were compared. */
function ScopeDifferences({ scopes, entity }: { scopes: ScopeComparison; entity: EntityInAccount }) {
  const { count, compared, results } = scopes;
  return (
    <>
      <ul className="mt-1 flex flex-col gap-0.5 empty:hidden">
        {differencesOf(scopes, entity).map(({ titles, message }) => (
          <li key={message} className="wrap-anywhere">
            <bdi className="font-medium">{titles}</bdi>: {message}
          </li>
        ))}
      </ul>
      {results.length > NAMED && <p className="mt-1">And {formatCount(results.length - NAMED)} more.</p>}
      {compared < count && (
        <p className="mt-1">
          Compared: {formatCount(compared)} of {countScopes(count, entity)}.
        </p>
      )}
    </>
  );
}

/** A button that compares the stored ids with the provider's, without fetching records, and the result below it. */
export function VerifySync({ sync, entity }: { sync: Sync; entity: EntityInAccount }) {
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
          <NoticeLine tone="info">
            {verificationSentence(data)}
            {data.scopes && <ScopeDifferences scopes={data.scopes} entity={entity} />}
          </NoticeLine>
        )}
      </div>
    </>
  );
}
