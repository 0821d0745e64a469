import type { Alert, ApiToken } from '@datadeck/contract';
import { PATHS, withSearch } from '../../address/paths.ts';
import type { Provider, Sync } from '../../api/models.ts';
import { formatDate } from '../../ui/date-time.tsx';
import type { DotColour } from '../../ui/status-dot.tsx';

const DAY_MS = 86_400_000;
/** Tokens that expire within this time are listed, ms. */
const SOON_MS = 14 * DAY_MS;

/** Something that waits for the user, or that is under way. */
export interface Task {
  key: string;
  /** Address of the screen where it is settled. */
  to: string;
  title: string;
  hint: string;
  colour: DotColour;
  label: string;
}

/** Titles of entities by their ids. */
type Titles = ReadonlyMap<string, string>;

function isSoon(iso: string, now: number): boolean {
  return Date.parse(iso) - now < SOON_MS;
}

/** Lists accounts to reconnect, and those whose token expires soon. @param now ms since 1970 */
export function accountTasks(providers: readonly Provider[], now: number): Task[] {
  return providers.flatMap((provider) =>
    provider.accounts.flatMap(({ account, status, expiresAt }): Task[] => {
      const title = `${provider.title} · ${account}`;
      const task = { key: `account ${provider.key} ${account}`, to: PATHS.providers, title };
      if (status === 'reconnect-needed')
        return [
          {
            ...task,
            hint: 'The provider refused the access. Reconnect it.',
            colour: 'error',
            label: 'Reconnect',
          },
        ];
      if (status !== 'connected' || expiresAt === null || !isSoon(expiresAt, now)) return [];
      const hint = `Its token expires on ${formatDate(expiresAt)}. Connect it with a new one before.`;
      return [{ ...task, hint, colour: 'none', label: 'Expires soon' }];
    }),
  );
}

/** Lists the failed syncs, of each entity and account the newest, and the running ones. */
export function syncTasks(syncs: readonly Sync[], titles: Titles): Task[] {
  const newest = new Map<string, Sync>();
  for (const sync of syncs) {
    const source = `${sync.entityLabel} ${sync.account}`;
    const known = newest.get(source);
    if (!known || known.number < sync.number) newest.set(source, sync);
  }
  return [...newest.values()].flatMap(({ id, entityLabel, account, status, failure, summary }): Task[] => {
    const task = {
      key: `sync ${id}`,
      to: withSearch(PATHS.syncs, { details: entityLabel }),
      title: `${titles.get(entityLabel) ?? entityLabel} · ${account}`,
    };
    if (status === 'started')
      return [{ ...task, hint: 'Is being synchronized', colour: 'secondary', label: 'Running' }];
    if (status !== 'failed' || failure === 'cancelled') return [];
    return [{ ...task, hint: summary.reason ?? 'The last sync failed.', colour: 'error', label: 'Failed' }];
  });
}

/** Lists the alerts that cannot be compared. */
export function alertTasks(alerts: readonly Alert[]): Task[] {
  return alerts.flatMap(({ _id, viewTitle, problem, isPaused }): Task[] =>
    problem === null || isPaused
      ? []
      : [
          {
            key: `alert ${_id}`,
            to: PATHS.alerts,
            title: `Alert on ${viewTitle}`,
            hint: problem,
            colour: 'error',
            label: 'Failed',
          },
        ],
  );
}

/** Lists the API tokens that expire soon. @param now ms since 1970 */
export function tokenTasks(tokens: readonly ApiToken[], now: number): Task[] {
  return tokens.flatMap(({ _id, name, expiresAt }): Task[] =>
    isSoon(expiresAt, now) && Date.parse(expiresAt) > now
      ? [
          {
            key: `token ${_id}`,
            to: PATHS.account,
            title: `API token ${name}`,
            hint: `Expires on ${formatDate(expiresAt)}. Make a new one before.`,
            colour: 'none',
            label: 'Expires soon',
          },
        ]
      : [],
  );
}
