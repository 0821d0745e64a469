import type { ConnectorDetail } from '@datadeck/contract';
import { History } from 'lucide-react';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { confirm } from '../../ui/confirmation.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { toasts } from '../../ui/toast.tsx';
import { useRestoreConnectorMutation } from './connectors-api.ts';

interface VersionsPanelProps {
  detail: ConnectorDetail;
  onRefused: (error: unknown) => void;
}

/** The published versions; an earlier one can be published again. */
export function VersionsPanel({ detail, onRefused }: VersionsPanelProps) {
  const { key, state, version: current, versions, draftAt } = detail;
  const [restore, { isLoading }] = useRestoreConnectorMutation();
  const latest = versions[0]?.version ?? 0;

  async function onRestore(version: number) {
    const may = await confirm(
      `Restore version ${version}`,
      `Its document is published again as version ${latest + 1}. ${
        state === 'withdrawn'
          ? 'The connector is withdrawn now, and this offers it again: its accounts synchronize again.'
          : 'Sources move to it at their next run.'
      } Changed columns are converted in the background.`,
      draftAt === null ? undefined : 'The draft with its unpublished changes stays.',
    );
    if (!may) return;
    const { data, error } = await restore({ key, version });
    if (data) toasts.success(`Version ${version} is published again as version ${data.version}`);
    else onRefused(error);
  }

  if (versions.length === 0)
    return (
      <Card flush>
        <EmptyState
          icon={<History size={20} />}
          title="No versions yet"
          hint="Each publication makes a version. An earlier one can be restored here."
        />
      </Card>
    );
  return (
    <Card flush>
      <ul aria-label="Versions">
        {versions.map(({ version, publishedAt, publishedBy }) => (
          <li
            key={version}
            className="flex min-h-14 flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b px-4 py-2.5 last:border-b-0"
          >
            <span className="min-w-0">
              <span className="flex items-center gap-2 text-13 font-medium">
                Version {version}
                {version === current && <Badge tone="success">Current</Badge>}
              </span>
              <span className="block text-12 text-ink-3 wrap-anywhere">
                <DateTime iso={publishedAt} /> by{' '}
                {publishedBy === '' ? 'a deleted account' : <bdi>{publishedBy}</bdi>}
              </span>
            </span>
            {version !== current && (
              <Button
                size="sm"
                disabled={isLoading}
                aria-label={`Restore version ${version}`}
                onClick={() => void onRestore(version)}
              >
                Restore
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
