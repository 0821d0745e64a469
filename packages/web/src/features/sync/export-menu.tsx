import { EXPORT_FORMATS, type ExportFormat } from '@datadeck/contract';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { callOf } from '../../api/call-of.ts';
import { useDownload } from '../../api/download.ts';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { toasts } from '../../ui/toast.tsx';
import { accountName } from '../connections/account-name.ts';
import type { EntityInAccount } from './entity-account.ts';

const TITLES: Readonly<Record<ExportFormat, string>> = {
  ndjson: 'NDJSON',
  json: 'JSON',
  csv: 'CSV',
  xlsx: 'Excel (XLSX)',
  parquet: 'Parquet',
  mbox: 'Mailbox (mbox)',
};

/** A menu that saves all records of an entity as a file; with several accounts, those of the chosen one. */
export function ExportMenu({ entity }: { entity: EntityInAccount }) {
  const { providerId, id, isMail, accounts } = entity;
  const account = accounts.length > 1 ? entity.account : undefined;
  const download = useDownload();
  const [isLoading, setIsLoading] = useState(false);

  async function save(format: ExportFormat, exact?: 'true'): Promise<void> {
    setIsLoading(true);
    const params = { providerId, entityLabel: id };
    const file = await download(
      callOf('exportRecords', { params, query: { format, exact, account: account?.account } }),
    );
    setIsLoading(false);
    if (file) saveFile(file, `${id}.${format}`);
    else toasts.error('The records could not be exported. Try again.');
  }

  return (
    <Menu
      trigger={
        <Button size="sm" icon={<Download size={14} />} busy={isLoading} disabled={isLoading}>
          Export
        </Button>
      }
      heading={account ? `All records of ${accountName(account)} as` : 'All records as'}
      items={EXPORT_FORMATS.filter((format) => format !== 'mbox' || isMail).flatMap((format) => [
        { label: TITLES[format], onSelect: () => void save(format) },
        ...(format === 'csv'
          ? [{ label: 'CSV for programs', onSelect: () => void save(format, 'true') }]
          : []),
      ])}
    />
  );
}
