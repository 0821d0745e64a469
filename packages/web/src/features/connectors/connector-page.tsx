import { errorOf } from '../../api/failure.ts';
import { Card } from '../../ui/card.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Loaded } from '../administration/loaded.tsx';
import { ConnectorBuilder } from './builder.tsx';
import { useConnectorQuery } from './connectors-api.ts';
import { ConnectorsLink } from './connectors-link.tsx';

/** One connector: the builder, or why it cannot be shown. */
export default function ConnectorPage({ connectorKey }: { connectorKey: string }) {
  const load = useConnectorQuery(connectorKey);
  const { currentData, error } = load;
  // After a failed refresh the builder stays, since it may have unsaved changes.
  if (currentData) return <ConnectorBuilder key={connectorKey} detail={currentData} />;
  return (
    <>
      <ConnectorsLink />
      <PageHeader title={connectorKey} />
      <Card flush>
        {errorOf(error)?.code === 'not-found' ? (
          <p className="p-4 text-13 text-ink-2">
            There is no connector with this key. It may have been deleted.
          </p>
        ) : (
          <Loaded load={load} rows={8}>
            {() => null}
          </Loaded>
        )}
      </Card>
    </>
  );
}
