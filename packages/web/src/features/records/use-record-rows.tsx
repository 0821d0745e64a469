import { type ReactNode, useState } from 'react';
import type { RowHistory } from '../../ui/row-history.ts';
import { useProvidersQuery } from '../connections/connections-api.ts';
import { RecordHistoryDialog } from './record-history-dialog.tsx';
import { RowReadingDialog } from './row-reading-dialog.tsx';
import { type RecordId, recordNameOf, recordOf } from './whole-records.ts';

interface RecordRows {
  providerId: string;
  entityLabel: string;
  /** The rows of the page, for going to the record before and after. */
  rows: readonly unknown[];
  /** Whether the records of the entity have a reading view. */
  isReadable: boolean;
  /** Returns the name of a row that is a record; undefined for other rows. */
  nameOf?: RowHistory['nameOf'];
  /** Whether a click on a row opens its reading view. */
  isOpenedByRow?: boolean;
}

/** Opens the reading view and the history of rows that are records. @returns how rows open them, and the open dialog */
export function useRecordRows({
  providerId,
  entityLabel,
  rows,
  isReadable,
  nameOf = recordNameOf,
  isOpenedByRow = false,
}: RecordRows): { history: RowHistory; dialogs: ReactNode } {
  const [historyOf, setHistoryOf] = useState<RecordId | null>(null);
  const [reading, setReading] = useState<RecordId | null>(null);
  const { data: providers } = useProvidersQuery();
  return {
    history: {
      nameOf,
      isOpenedByRow,
      onOpen: (row) => setHistoryOf(recordOf(row) ?? null),
      onRead: isReadable ? (row) => setReading(recordOf(row) ?? null) : undefined,
    },
    dialogs: (
      <>
        {historyOf !== null && (
          <RecordHistoryDialog
            providerId={providerId}
            entityLabel={entityLabel}
            {...historyOf}
            onClose={() => setHistoryOf(null)}
          />
        )}
        {reading !== null && (
          <RowReadingDialog
            provider={providers?.find(({ key }) => key === providerId)}
            entityLabel={entityLabel}
            rows={rows}
            record={reading}
            onRecord={setReading}
          />
        )}
      </>
    ),
  };
}
