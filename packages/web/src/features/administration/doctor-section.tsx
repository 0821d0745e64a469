import { Stethoscope } from 'lucide-react';
import { causeOf } from '../../api/failure.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { LoadingRows } from '../../ui/skeleton.tsx';
import { useAdminFindingsMutation } from './admin-api.ts';
import { FindingList } from './finding-list.tsx';

/** Key under which the last findings are kept while the app is open. */
const SHARED = { fixedCacheKey: 'doctor' };

/** The checks of `datadeck doctor`, run on demand: they call the providers. */
export function DoctorSection() {
  const [run, { data, error, isLoading }] = useAdminFindingsMutation(SHARED);
  const start = () => void run();
  return (
    <Card
      flush
      title="Doctor"
      actions={
        data && (
          <Button size="sm" busy={isLoading} disabled={isLoading} onClick={start}>
            Run again
          </Button>
        )
      }
    >
      {isLoading && (
        <LoadingRows rows={6} words="Checking settings, disk, database, clock and providers..." />
      )}
      {!isLoading && error !== undefined && (
        <div className="p-4">
          <LoadFailure sentence={causeOf(error)} onRetry={start} />
        </div>
      )}
      {!isLoading && error === undefined && !data && (
        <EmptyState
          icon={<Stethoscope size={20} />}
          title="Not checked yet"
          hint="Checks settings, disk, database, encryption keys, clock and providers, as datadeck doctor does. It changes nothing."
          action={
            <Button variant="primary" onClick={start}>
              Run the checks
            </Button>
          }
        />
      )}
      {!isLoading && error === undefined && data && (
        <>
          <p className="border-b px-4 py-3 text-12 text-ink-3">
            Checked <DateTime iso={data.checkedAt} className="tabular-nums" />
          </p>
          <FindingList label="Findings" findings={data.findings} />
        </>
      )}
    </Card>
  );
}
