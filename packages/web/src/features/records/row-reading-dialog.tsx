import type { Provider } from '../../api/models.ts';
import { accountLabel } from '../connections/account-name.ts';
import { RecordReadingDialog } from './record-reading-dialog.tsx';
import { type RecordId, recordNameOf, recordOf } from './whole-records.ts';

interface RowReadingDialogProps {
  provider: Provider | undefined;
  entityLabel: string;
  /** The rows of the page, for going to the record before and after. */
  rows: readonly unknown[];
  record: RecordId;
  onRecord: (record: RecordId | null) => void;
}

/** The reading view of a row that is a whole record. */
export function RowReadingDialog({ provider, entityLabel, rows, record, onRecord }: RowReadingDialogProps) {
  const index = rows.findIndex((row) => {
    const found = recordOf(row);
    return found?.recordId === record.recordId && found.account === record.account;
  });
  const goTo = (at: number) => {
    const found = index < 0 ? undefined : recordOf(rows[at]);
    return found && (() => onRecord(found));
  };
  return (
    <RecordReadingDialog
      {...record}
      providerId={provider?.key ?? ''}
      entityLabel={entityLabel}
      accountOf={(account) => accountLabel(provider, account)}
      knownTitle={recordNameOf(rows[index]) ?? ''}
      providerTitle={provider?.title ?? ''}
      entityTitle={provider?.entities.find(({ id }) => id === entityLabel)?.title ?? entityLabel}
      onPrevious={goTo(index - 1)}
      onNext={goTo(index + 1)}
      onClose={() => onRecord(null)}
    />
  );
}
