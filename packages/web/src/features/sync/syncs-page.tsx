import type { Setting, UserEntity } from '@datadeck/contract';
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
import { useProvidersQuery } from '../connections/connections-api.ts';
import { ProviderMark } from '../connections/provider-mark.tsx';
import { ReconnectNotice } from '../connections/reconnect-notice.tsx';
import { ExampleDialog } from '../records/example-dialog.tsx';
import { SyncChangesDialog } from '../records/sync-changes-dialog.tsx';
import { ConversionNotice } from './conversion-notice.tsx';
import { entityTitles } from './entity-titles.ts';
import { MissingDetails } from './missing-details.tsx';
import { OverviewAccordion } from './overview-accordion.tsx';
import { useOverview } from './providers-and-syncs.ts';
import { useSchedulesQuery } from './schedules-api.ts';
import { useEntitiesQuery } from './sync-api.ts';
import { SyncDetailsDialog } from './sync-details-dialog.tsx';
import { LoadingUsage, UsageSummary } from './usage-summary.tsx';

/** Returns the notice that a provider must be connected again; null when its connection is valid. */
function reconnectNotice(provider: Provider | undefined, onProviders: () => void): ReactNode {
  if (provider?.connection?.status !== 'reconnect-needed') return null;
  return <ReconnectNotice providerTitle={provider.title} onProviders={onProviders} />;
}

interface OpenDetailsProps {
  entity: UserEntity;
  onProviders: () => void;
  /** Opens the details of another entity. */
  onEntity: (entityLabel: string) => void;
  onClose: () => void;
}

/** The details dialog of the entity that the URL names. */
function OpenDetails({ entity, onProviders, onEntity, onClose }: OpenDetailsProps) {
  const { data: providers = [] } = useProvidersQuery();
  const { overview, syncs } = useOverview();
  const { data: schedules, ...schedulesLoad } = useSchedulesQuery();
  const [helpFor, setHelpFor] = useState<Setting | null>(null);
  const [changesOf, setChangesOf] = useState<Sync | null>(null);
  const provider = providers.find(({ id }) => id === entity.providerId);
  const row = Object.values(overview)
    .flat()
    .find(({ entityLabel }) => entityLabel === entity.id);
  const dependency = entity.dependsOn[0];
  return (
    <>
      <SyncDetailsDialog
        entity={entity}
        providerTitle={provider?.title ?? entity.providerId}
        current={syncs.find(({ id }) => id === row?.currentSyncId)}
        last={syncs.find(({ id }) => id === row?.lastSyncId)}
        isSample={provider?.connection?.status === 'sample'}
        blockedReason={reconnectNotice(provider, onProviders)}
        schedules={schedules?.filter(({ entityLabel }) => entityLabel === entity.id)}
        schedulesFailure={schedulesLoad.error !== undefined && !schedules ? schedulesLoad : undefined}
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
  const { overview, syncs } = useOverview();
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
      />
      {error !== undefined && (
        <div className="mb-4">
          <LoadFailure sentence={causeOf(error)} busy={isFetching} onRetry={refetch} />
        </div>
      )}
      {entities && <ConversionNotice entities={entities} />}
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
            syncs={syncs}
            schedules={schedules}
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
            onDetails={({ entityLabel }) => search.set({ details: entityLabel })}
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
          onEntity={(entityLabel) => search.set({ details: entityLabel })}
          onProviders={goToProviders}
          onClose={() => search.set({ details: null })}
        />
      )}
    </>
  );
}
