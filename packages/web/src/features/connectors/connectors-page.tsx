import type { ConnectorSummary, Connectors } from '@datadeck/contract';
import { Blocks, Plus } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import { PATHS } from '../../address/paths.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Age } from '../../ui/date-time.tsx';
import { countOf } from '../../ui/duration.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { fetchCode } from '../../ui/fetch-code.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { LoadingRows } from '../../ui/skeleton.tsx';
import { AdministratorsOnly } from '../administration/administrators-only.tsx';
import { Loaded } from '../administration/loaded.tsx';
import { badgesOf } from './connector-words.ts';
import { useConnectorsQuery } from './connectors-api.ts';
import { NewConnectorDialog } from './new-connector-dialog.tsx';
import { STARTS, type Start } from './starts.ts';

const ConnectorPage = lazy(() => fetchCode(() => import('./connector-page.tsx')));

function ConnectorRow({ connector }: { connector: ConnectorSummary }) {
  const { key, title, description, publishedAt, accounts } = connector;
  return (
    <li className="relative grid grid-cols-[1fr_auto] items-center gap-x-4 gap-y-1 border-b px-4 py-3 last:border-b-0 hover:bg-hover @min-[52rem]:grid-cols-[minmax(0,1fr)_18rem_7rem_11rem]">
      <span className="col-span-2 min-w-0 @min-[52rem]:col-span-1">
        <Link
          to={`${PATHS.connectors}/${key}`}
          className="text-13 font-medium after:absolute after:inset-0 after:rounded-sm"
        >
          <bdi className="wrap-anywhere">{title}</bdi>
        </Link>
        <span title={description} className="block truncate text-12 text-ink-3">
          {description === '' ? key : description}
        </span>
      </span>
      <span className="col-span-2 flex flex-wrap gap-1.5 @min-[52rem]:col-span-1">
        {badgesOf(connector).map(({ tone, text }) => (
          <Badge key={text} tone={tone}>
            {text}
          </Badge>
        ))}
      </span>
      <span className="text-12 text-ink-2 tabular-nums @min-[52rem]:text-right">
        {accounts === 0 ? <span className="text-ink-3">No accounts</span> : countOf(accounts, 'account')}
      </span>
      <span className="text-right text-12 text-ink-3 tabular-nums">
        {publishedAt === null ? (
          'Never published'
        ) : (
          <>
            Published <Age iso={publishedAt} />
          </>
        )}
      </span>
    </li>
  );
}

/** Explains what a connector is, and offers each way to start one. */
function NoConnectors({ onStart }: { onStart: (start: Start) => void }) {
  return (
    <Card flush>
      <EmptyState
        icon={<Blocks size={20} />}
        title="No connectors yet"
        hint="A connector describes an API: its address, how to sign in, and where the records are. Once it is published, everybody on this server can connect the service and synchronize its records."
        action={
          <ul aria-label="Start from" className="mt-2 grid gap-3 text-left sm:grid-cols-[18rem_18rem]">
            {STARTS.map(({ value, title, hint, Icon }) => (
              <li key={value} className="sm:last:odd:col-span-2">
                <button
                  type="button"
                  onClick={() => onStart(value)}
                  className="flex h-full w-full items-start gap-3 rounded-md border border-line-strong bg-surface p-3 text-left shadow-low hover:bg-hover"
                >
                  <Icon aria-hidden="true" size={16} className="mt-0.5 shrink-0 text-ink-3" />
                  <span>
                    <span className="block text-13 font-medium">{title}</span>
                    <span className="block text-12 text-ink-3">{hint}</span>
                  </span>
                </button>
              </li>
            ))}
          </ul>
        }
      />
    </Card>
  );
}

interface ListProps {
  loaded: Connectors;
  onStart: (start: Start) => void;
}

function ConnectorList({ loaded: { connectors }, onStart }: ListProps) {
  if (connectors.length === 0) return <NoConnectors onStart={onStart} />;
  return (
    <Card flush>
      <ul aria-label="Connectors">
        {connectors.map((connector) => (
          <ConnectorRow key={connector.key} connector={connector} />
        ))}
      </ul>
    </Card>
  );
}

const isStart = (text: string | null): text is Start => STARTS.some(({ value }) => value === text);

/** The connectors of this server. The parameter `start` opens the dialog that begins a new one. */
function ConnectorsList() {
  const load = useConnectorsQuery();
  const [params, setParams] = useSearchParams();
  const named = params.get('start');
  const start = named === null ? undefined : isStart(named) ? named : 'example';
  const open = (next: Start) => setParams({ start: next });
  const { currentData } = load;
  return (
    <>
      <PageHeader
        title="Connectors"
        description="Connect any API: services that administrators of this server describe in a document."
        actions={
          currentData !== undefined &&
          currentData.connectors.length > 0 && (
            <Button variant="primary" icon={<Plus size={14} />} onClick={() => open('example')}>
              New connector
            </Button>
          )
        }
      />
      {currentData === undefined ? (
        <Card flush>
          <Loaded load={load} rows={5}>
            {() => null}
          </Loaded>
        </Card>
      ) : (
        <div className="flex flex-col gap-4">
          <Loaded load={load} rows={5}>
            {(loaded) => <ConnectorList loaded={loaded} onStart={open} />}
          </Loaded>
        </div>
      )}
      {start !== undefined && currentData !== undefined && (
        <NewConnectorDialog
          start={start}
          loaded={currentData}
          onClose={() => setParams({}, { replace: true })}
        />
      )}
    </>
  );
}

/** The Connectors screen, for administrators: the list, or the connector that the address names. Its code loads on first use. */
export function ConnectorsPage() {
  const { key } = useParams();
  return (
    <AdministratorsOnly header={<PageHeader title="Connectors" />}>
      {key === undefined ? (
        <ConnectorsList />
      ) : (
        <Suspense fallback={<LoadingRows />}>
          <ConnectorPage connectorKey={key} />
        </Suspense>
      )}
    </AdministratorsOnly>
  );
}
