import type { Schedule, Setting, UserEntity } from '@datadeck/contract';
import { Unplug } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { PATHS } from '../../address/paths.ts';
import { useSearchState } from '../../address/search-state.ts';
import { causeOf } from '../../api/failure.ts';
import type { Provider, Sync } from '../../api/models.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { AccountFilter, useAccountFilter } from '../connections/account-filter.tsx';
import { accountLabel } from '../connections/account-name.ts';
import { useProvidersQuery } from '../connections/connections-api.ts';
import { ProviderMark } from '../connections/provider-mark.tsx';
import { ReconnectNotice } from '../connections/reconnect-notice.tsx';
import { ExampleDialog } from '../records/example-dialog.tsx';
import { SyncChangesDialog } from '../records/sync-changes-dialog.tsx';
import { ConversionNotice } from './conversion-notice.tsx';
import { chooseAccount, entityIn } from './entity-account.ts';
import { entityTitles } from './entity-titles.ts';
import { MissingDetails } from './missing-details.tsx';
import { NextSteps } from './next-steps.tsx';
import { OverviewAccordion } from './overview-accordion.tsx';
import { useOverview } from './providers-and-syncs.ts';
import { useSchedulesQuery } from './schedules-api.ts';
import { SyncAllButton } from './sync-all-button.tsx';
import { useEntitiesQuery } from './sync-api.ts';
import { SyncDetailsDialog } from './sync-details-dialog.tsx';
import { LoadingUsage, UsageSummary } from './usage-summary.tsx';

/**
 * Returns the notice that accounts of a provider must be connected again; null when their connections are valid.
 * @param account the account in question; without it, all of them
 */
function reconnectNotice(
  provider: Provider | undefined,
  onProviders: () => void,
  account?: string,
): ReactNode {
  const rejected = provider?.accounts.filter(
    (one) => one.status === 'reconnect-needed' && (account === undefined || one.account === account),
  );
  const [first] = rejected ?? [];
  if (!provider || !first) return null;
  const names = rejected?.map((one) => accountLabel(provider, one.account)).filter(Boolean);
  return (
    <ReconnectNotice
      providerTitle={provider.title}
      account={names?.join(', ') || undefined}
      onProviders={onProviders}
    />
  );
}

interface OpenDetailsProps {
  entity: UserEntity;
  onProviders: () => void;
  /** Goes to an address of the app. */
  onGo: (address: string) => void;
  /** Opens the details of another entity. */
  onEntity: (entityLabel: string) => void;
  /** The account that was chosen before; the default one without it. */
  account: string | undefined;
  onAccount: (account: string) => void;
  onClose: () => void;
}

/** The details dialog of the entity that the URL names. */
function OpenDetails(props: OpenDetailsProps) {
  const { onProviders, onEntity, onClose } = props;
  const { data: providers = [] } = useProvidersQuery();
  // Kept while the dialog is open: the default is another account after a sync of it.
  const [initial] = useState(() => chooseAccount(props.entity, props.account));
  const account = chooseAccount(props.entity, props.account, initial);
  const entity = entityIn(props.entity, account);
  const { overview, syncs } = useOverview(account);
  const { data: schedules, ...schedulesLoad } = useSchedulesQuery();
  const [helpFor, setHelpFor] = useState<Setting | null>(null);
  const [changesOf, setChangesOf] = useState<Sync | null>(null);
  const provider = providers.find(({ id }) => id === entity.providerId);
  const row = Object.values(overview)
    .flat()
    .find(({ entityLabel }) => entityLabel === entity.id);
  const dependency = entity.dependsOn[0];
  const isOfSource = (schedule: Schedule) =>
    schedule.entityLabel === entity.id && (account === undefined || schedule.account === account);
  return (
    <>
      <SyncDetailsDialog
        entity={entity}
        providerTitle={provider?.title ?? entity.providerId}
        current={syncs.find(({ id }) => id === row?.currentSyncId)}
        last={syncs.find(({ id }) => id === row?.lastSyncId)}
        isSample={provider?.connection?.status === 'sample'}
        blockedReason={reconnectNotice(provider, onProviders, account)}
        schedules={schedules?.filter(isOfSource)}
        schedulesFailure={schedulesLoad.error !== undefined && !schedules ? schedulesLoad : undefined}
        nextSteps={
          <NextSteps
            entity={entity}
            isSearchable={provider?.searchable?.includes(entity.id) ?? false}
            onGo={props.onGo}
          />
        }
        onAccount={props.onAccount}
        onClose={onClose}
        onChanges={setChangesOf}
        onHelp={setHelpFor}
      />
      {changesOf && (
        <SyncChangesDialog sync={changesOf} entityTitle={entity.title} onClose={() => setChangesOf(null)} />
      )}
      {helpFor && dependency && (
        <ExampleDialog
          providerId={dependency.provider}
          entityLabel={dependency.entity}
          entityTitle={dependency.title}
          account={account}
          settingLabel={helpFor.label}
          onSync={() => onEntity(dependency.entity)}
          onClose={() => setHelpFor(null)}
        />
      )}
    </>
  );
}

/** The Synchronizations screen. */
export function SyncsPage() {
  const navigate = useNavigate();
  const search = useSearchState();
  const { account } = useAccountFilter('');
  const [detailsAccount, setDetailsAccount] = useState<string>();
  const { overview, syncs } = useOverview(account || undefined);
  const { data: entities, error, isFetching, refetch } = useEntitiesQuery();
  const { data: schedules = [] } = useSchedulesQuery();
  const { data: providers = [] } = useProvidersQuery();
  const details = search.get('details');
  const entity = entities?.find(({ id }) => id === details);
  const goToProviders = () => void navigate(PATHS.providers);
  const connected = Object.values(overview)
    .flat()
    .map((row) => row.entityLabel);
  const isEmpty = providers.length > 0 && !providers.some(({ isConnected }) => isConnected);
  return (
    <>
      <PageHeader
        title="Synchronizations"
        description="What has been synchronized, and what is running now."
        actions={connected.length > 0 && entities && <SyncAllButton entities={entities} />}
      />
      {error !== undefined && (
        <div className="mb-4">
          <LoadFailure sentence={causeOf(error)} busy={isFetching} onRetry={refetch} />
        </div>
      )}
      {entities && <ConversionNotice entities={entities} />}
      <div className="mb-4 empty:hidden sm:max-w-64">
        <AccountFilter provider="" />
      </div>
      {isEmpty ? (
        <Card flush>
          <EmptyState
            icon={<Unplug size={20} />}
            title="No provider is connected"
            hint="Connect a provider to synchronize its data."
            action={
              <Button variant="primary" onClick={goToProviders}>
                Go to Providers
              </Button>
            }
          />
        </Card>
      ) : (
        <div className="grid items-start gap-6 xl:grid-cols-[1fr_20rem]">
          <OverviewAccordion
            key={Object.keys(overview).join()}
            overview={overview}
            entities={entities}
            account={account}
            syncs={syncs}
            schedules={schedules.filter((one) => account === '' || one.account === account)}
            accountOf={(providerId, name) =>
              accountLabel(
                providers.find(({ id }) => id === providerId),
                name,
              )
            }
            markOf={(providerId) => {
              const mark = providers.find(({ id }) => id === providerId)?.mark;
              return <ProviderMark mark={mark} size="sm" />;
            }}
            blockedReasonOf={(providerId) =>
              reconnectNotice(
                providers.find(({ id }) => id === providerId),
                goToProviders,
              )
            }
            onDetails={({ entityLabel }) => {
              setDetailsAccount(account || undefined);
              search.set({ details: entityLabel });
            }}
          />
          {entities && (
            <UsageSummary
              entities={entities}
              connected={connected}
              titles={entityTitles(entities, providers)}
            />
          )}
          {!entities && error === undefined && <LoadingUsage entities={connected.length} />}
        </div>
      )}
      {details !== '' && !entity && (
        <MissingDetails
          title={
            Object.values(overview)
              .flat()
              .find(({ entityLabel }) => entityLabel === details)?.entityLabelTitle ?? ''
          }
          onClose={() => search.set({ details: null })}
        />
      )}
      {entity && (
        <OpenDetails
          key={entity.id}
          entity={entity}
          account={detailsAccount ?? (account || undefined)}
          onAccount={setDetailsAccount}
          onEntity={(entityLabel) => search.set({ details: entityLabel })}
          onProviders={goToProviders}
          onGo={(address) => void navigate(address)}
          onClose={() => search.set({ details: null })}
        />
      )}
    </>
  );
}
