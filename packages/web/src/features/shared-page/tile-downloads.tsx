import type { DownloadFormat } from '@datadeck/contract';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { callOf } from '../../api/call-of.ts';
import { sentenceOf } from '../../api/failure.ts';
import { type PictureHandle, pictureItems } from '../../ui/charts/picture-items.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { downloadItems } from '../../ui/results/download-items.ts';
import { saveFile } from '../../ui/save-file.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { toasts } from '../../ui/toast.tsx';
import { useShareClient } from './client-context.ts';

interface TileDownloadsProps {
  tileId: string;
  /** Name of the files. */
  title: string;
  /** Name of the tile. */
  name: string;
  /** Returns the handle of the drawn chart; absent if the tile draws none. */
  readPicture?: (() => PictureHandle | null) | undefined;
}

/** Saves all rows of a tile, or its picture. */
export function TileDownloads({ tileId, title, name, readPicture }: TileDownloadsProps) {
  const { fetchFile } = useShareClient();
  const [isSaving, setIsSaving] = useState(false);
  async function save(format: DownloadFormat, isExact: boolean) {
    setIsSaving(true);
    const query = { format, ...(isExact && { exact: 'true' }) };
    const { file, error } = await fetchFile(callOf('sharedDownload', { params: { tileId }, query }));
    setIsSaving(false);
    if (file) saveFile(file, `${title}.${format}`);
    else toasts.error(sentenceOf(error));
  }
  const rows = downloadItems(save);
  const inGroup = <T extends object>(items: readonly T[], group: string) =>
    items.map((item) => ({ ...item, group }));
  return (
    <Menu
      trigger={
        <IconButton
          size="sm"
          label={`Download ${name}`}
          disabled={isSaving}
          className="print:hidden"
          icon={isSaving ? <Spinner /> : <Download aria-hidden="true" size={14} />}
        />
      }
      items={
        readPicture ? [...inGroup(pictureItems(readPicture), 'Picture'), ...inGroup(rows, 'All rows')] : rows
      }
    />
  );
}
