import type { EntityAccount } from '@datadeck/contract';
import { ListChecks } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { sentenceOf } from '../../api/failure.ts';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { fetchCode } from '../../ui/fetch-code.ts';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { toasts } from '../../ui/toast.tsx';
import type { EntityInAccount } from './entity-account.ts';
import { countScopes, sourceInWords } from './source-words.ts';
import { useSaveSourceMutation } from './sources-api.ts';
import { useEntitiesQuery } from './sync-api.ts';

const ScopePicker = lazy(() => fetchCode(() => import('./scope-picker.tsx')));

interface SameSourceProps {
  entity: EntityInAccount;
  isBusy: boolean;
  onChoose: (source: NonNullable<EntityAccount['source']>) => void;
}

/** Takes over the scopes that another entity of the account reads, e.g. those of pull requests for issues. */
function SameSource({ entity, isBusy, onChoose }: SameSourceProps) {
  const { data = [] } = useEntitiesQuery();
  const { providerId, scopes, account } = entity;
  const others = data.filter(
    (other) => other.id !== entity.id && other.providerId === providerId && other.scopes?.one === scopes?.one,
  );
  for (const other of others) {
    const source = other.accounts.find((one) => one.account === account?.account)?.source;
    if (source)
      return (
        <Button
          size="sm"
          disabled={isBusy}
          title={sourceInWords(source, other)}
          onClick={() => onChoose(source)}
        >
          Same as {other.title}
        </Button>
      );
  }
  return null;
}

/** What the syncs of an entity read: the scope of the fields above, or a list of scopes that is chosen in a dialog. */
export function SourceSetting({ entity }: { entity: EntityInAccount }) {
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  const [isOpen, setIsOpen] = useState(false);
  const [save, { isLoading, error }] = useSaveSourceMutation();
  const { scopes, account } = entity;
  if (!scopes || !account) return null;
  const { source } = account;
  async function store(chosen: NonNullable<EntityAccount['source']>, message: string) {
    const key = { providerId: entity.providerId, entityLabel: entity.id, account: account?.account ?? '' };
    const { error: failure } = await save({ ...key, ...chosen });
    if (!failure) toasts.success(message);
  }
  const open = { disabled: !mayChange || isLoading, title: forbidden, onClick: () => setIsOpen(true) };
  return (
    <div className="flex flex-col gap-3">
      {source ? (
        <div className="flex flex-col gap-2 rounded-sm border bg-sunken px-3 py-2.5 sm:flex-row sm:items-center sm:gap-4">
          <p className="min-w-0 flex-1 text-13 font-medium wrap-anywhere">
            <bdi>{sourceInWords(source, entity)}</bdi>
          </p>
          <div className="flex flex-wrap gap-2">
            <Button size="sm" {...open}>
              Change
            </Button>
            <Button
              size="sm"
              variant="ghost"
              busy={isLoading}
              disabled={!mayChange || isLoading}
              title={forbidden}
              onClick={() => void store({ scopes: [], since: null }, 'Syncs use the fields again')}
            >
              Use the fields instead
            </Button>
          </div>
        </div>
      ) : (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <Button size="sm" icon={<ListChecks size={14} />} {...open}>
            Choose {scopes.many}
          </Button>
          {mayChange && (
            <SameSource
              entity={entity}
              isBusy={isLoading}
              onChoose={(chosen) => void store(chosen, `Syncs read ${sourceInWords(chosen, entity)}`)}
            />
          )}
          <span className="text-12 text-ink-3">
            {scopes.limit === null
              ? `One sync reads any number of ${scopes.many}.`
              : `One sync reads up to ${countScopes(scopes.limit, entity)}.`}
          </span>
        </div>
      )}
      {error !== undefined && <NoticeLine tone="error">{sentenceOf(error)}</NoticeLine>}
      {isOpen && (
        <Suspense fallback={null}>
          <ScopePicker
            entity={{ ...entity, scopes }}
            account={account.account}
            onClose={() => setIsOpen(false)}
          />
        </Suspense>
      )}
    </div>
  );
}
