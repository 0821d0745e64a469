import { useState } from 'react';
import { causeOf } from '../../api/failure.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { JsonTree } from '../../ui/json-tree/json-tree.tsx';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { exampleValue } from './example-value.ts';
import { useExampleRecordsQuery } from './records-api.ts';

/** Placeholder for the example while it loads. */
function LoadingExample() {
  return (
    <div role="status" className="flex flex-col gap-4">
      <div className="flex flex-col gap-1.5">
        <span className="flex h-6 items-center text-13 text-ink-3">Loading</span>
        <Skeleton className="h-8" />
      </div>
      <Skeleton className="h-58.5" />
      <Skeleton className="h-4 w-2/3" />
    </div>
  );
}

interface ExampleDialogProps {
  /** The provider and entity that the setting depends on. */
  providerId: string;
  entityLabel: string;
  entityTitle: string;
  /** The account whose record is shown; any without one. */
  account?: string | undefined;
  settingLabel: string;
  /** Opens the details of that entity, where it can be synchronized. */
  onSync: () => void;
  onClose: () => void;
}

/** The 'Example Data' dialog: a record of the entity that a setting depends on, and the setting's value from it. */
export function ExampleDialog({
  providerId,
  entityLabel,
  entityTitle,
  account,
  settingLabel,
  onSync,
  onClose,
}: ExampleDialogProps) {
  const { data, isLoading, isFetching, error, refetch } = useExampleRecordsQuery({
    providerId,
    entityLabel,
    limit: 1,
    account,
  });
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const record = data?.results[0];
  return (
    <Dialog open onClose={onClose} title="Example Data" subtitle={entityTitle}>
      {isLoading && <LoadingExample />}
      {error !== undefined && <LoadFailure sentence={causeOf(error)} busy={isFetching} onRetry={refetch} />}
      {data && record === undefined && (
        <div className="flex flex-col items-start gap-3">
          <p className="text-13 text-ink-2">
            The entity {entityTitle} has not been synced yet. Synchronize it first to see an example.
          </p>
          <Button onClick={onSync}>Go to {entityTitle}</Button>
        </div>
      )}
      {record !== undefined && (
        <div className="flex flex-col gap-4">
          <TextField
            label={settingLabel}
            value={exampleValue(record)}
            disabled
            aside={<CopyButton text={() => exampleValue(record)} label="Copy example value" />}
          />
          <div className="rounded-sm border">
            <JsonTree
              value={record}
              label={`Example of ${entityTitle}`}
              open={open}
              onOpenChange={setOpen}
              className="max-h-80"
            />
          </div>
          <p className="text-12 text-ink-3">More examples can be found in Data Management.</p>
        </div>
      )}
    </Dialog>
  );
}
