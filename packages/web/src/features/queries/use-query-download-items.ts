import type { DownloadFormat } from '@datadeck/contract';
import { callOf } from '../../api/call-of.ts';
import { useDownload } from '../../api/download.ts';
import { type RunQuery, toRunQuery } from '../../api/models.ts';
import type { MenuItem } from '../../ui/menu.tsx';
import { downloadItems } from '../../ui/results/download-items.ts';
import { saveFile } from '../../ui/save-file.ts';
import { toasts } from '../../ui/toast.tsx';

/** Returns one menu item for each format of the whole result of an expression over all rows of a template. */
export function useQueryDownloadItems(run: RunQuery): MenuItem[] {
  const download = useDownload();
  async function save(format: DownloadFormat, exact: boolean): Promise<void> {
    const file = await download(
      callOf('downloadQuery', { body: { ...toRunQuery(run), format, ...(exact && { exact }) } }),
    );
    if (file) saveFile(file, `query_${run.entity}.${format}`);
    else toasts.error('There was an error fetching the data');
  }
  return downloadItems(save);
}
