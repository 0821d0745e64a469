import { PATHS, withSearch } from '../../address/paths.ts';
import { queryAddress } from '../../address/query-link.ts';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { countOf } from '../../ui/duration.ts';
import type { EntityInAccount } from './entity-account.ts';

interface NextStepsProps {
  entity: EntityInAccount;
  /** Whether the search finds its records. */
  isSearchable: boolean;
  /** Goes to an address of the app. */
  onGo: (address: string) => void;
}

/** Leads from a finished sync to its records: their table, their search, and a view of them. Nothing while none are stored. */
export function NextSteps({ entity, isSearchable, onGo }: NextStepsProps) {
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  const { providerId, id: entityLabel, accounts } = entity;
  const records = entity.account?.records ?? 0;
  // A choice of the account is shown on the other screens only if there are several.
  const account = accounts.length > 1 ? entity.account?.account : undefined;
  const link = { providerId, entityLabel, account };
  if (records === 0) return null;
  return (
    <nav aria-label="Next steps" className="flex flex-wrap gap-2">
      <Button size="sm" className="tabular-nums" onClick={() => onGo(queryAddress(link, 'results'))}>
        See {countOf(records, 'record')}
      </Button>
      {isSearchable && (
        <Button
          size="sm"
          onClick={() =>
            onGo(
              withSearch(PATHS.search, { provider: providerId, entity: entityLabel, account: account ?? '' }),
            )
          }
        >
          Search them
        </Button>
      )}
      <Button
        size="sm"
        disabled={!mayChange}
        title={forbidden}
        onClick={() => onGo(queryAddress(link, 'view'))}
      >
        Make a view
      </Button>
    </nav>
  );
}
