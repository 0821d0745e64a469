import { ALERT_LIMITS, type Alert } from '@datadeck/contract';
import { BellPlus } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { PATHS } from '../../address/paths.ts';
import { causeOf } from '../../api/failure.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { LoadingRows } from '../../ui/skeleton.tsx';
import { BrowserNotificationsCard } from '../notifications/browser-notifications-card.tsx';
import { AlertRow } from './alert-row.tsx';
import { useAlertsQuery } from './alerts-api.ts';
import { WatchDialog } from './watch-dialog.tsx';

function Content({ onEdit }: { onEdit: (alert: Alert) => void }) {
  const navigate = useNavigate();
  const { data, error, isFetching, refetch } = useAlertsQuery();
  if (!data && error !== undefined)
    return (
      <div className="p-4">
        <LoadFailure sentence={causeOf(error)} busy={isFetching} onRetry={refetch} />
      </div>
    );
  if (!data) return <LoadingRows rows={4} />;
  if (data.results.length === 0)
    return (
      <EmptyState
        icon={<BellPlus size={20} />}
        title="No alerts"
        hint="Open a view and choose Watch. You are then notified when its rows change."
        action={<Button onClick={() => void navigate(PATHS.views)}>Go to Views</Button>}
      />
    );
  return (
    <ul aria-label="Alerts">
      {data.results.map((alert) => (
        <AlertRow key={alert._id} alert={alert} onEdit={() => onEdit(alert)} />
      ))}
    </ul>
  );
}

/** The Alerts screen: every alert with its state. A user has so few that they are one page. */
export function AlertsPage() {
  const [edited, setEdited] = useState<Alert>();
  return (
    <>
      <PageHeader
        title="Alerts"
        description={`Views that are watched, at most ${ALERT_LIMITS.perUser} alerts.`}
      />
      <div className="flex flex-col gap-4">
        <Card flush>
          <Content onEdit={setEdited} />
        </Card>
        <BrowserNotificationsCard />
      </div>
      {edited && (
        <WatchDialog
          view={{ id: edited.viewId, title: edited.viewTitle }}
          parameters={edited.parameters ?? undefined}
          first={edited}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  );
}
