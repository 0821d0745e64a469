import type { Account } from '@datadeck/contract';
import { DateTime } from '../../ui/date-time.tsx';

/** What a connection may read and when its token expires. */
export function ConnectionFacts({
  connectedAt,
  access,
  expiresAt,
}: Pick<Account, 'connectedAt' | 'access' | 'expiresAt'>) {
  return (
    <>
      <p>
        Since <DateTime iso={connectedAt} className="tabular-nums" />
      </p>
      {access !== '' && <p className="break-words">Access: {access}</p>}
      {expiresAt !== null && (
        <p>
          {Date.parse(expiresAt) < Date.now() ? 'Token expired on' : 'Token expires on'}{' '}
          <DateTime iso={expiresAt} className="tabular-nums" />
        </p>
      )}
    </>
  );
}
