import { DOWNLOAD_FORMATS, type DownloadFormat } from '@datadeck/contract';
import type { MenuItem } from '../menu.tsx';

const LABELS: Record<DownloadFormat, string> = {
  csv: 'CSV',
  ndjson: 'NDJSON',
  json: 'JSON',
  xlsx: 'XLSX',
  parquet: 'Parquet',
};

/** Returns one menu item for each format of a whole result. @param save its `isExact` leaves texts in CSV as they are */
export function downloadItems(save: (format: DownloadFormat, isExact: boolean) => Promise<void>): MenuItem[] {
  return DOWNLOAD_FORMATS.flatMap((format) => [
    { label: LABELS[format], onSelect: () => void save(format, false) },
    ...(format === 'csv' ? [{ label: 'CSV for programs', onSelect: () => void save(format, true) }] : []),
  ]);
}
