import { fetchAttachment, findAttachment, safeFileName } from '../features/records/index.ts';
import { sampleFile } from './demo/sample-file.ts';
import type { Product } from './product.ts';

/** Reads a file of a record of a user: from its provider, or from the sample of a demo workspace. */
export async function readAttachment(
  { context, registry, schedulers }: Product,
  { signal, ...request }: Parameters<typeof findAttachment>[2] & { signal: AbortSignal },
): Promise<{ name: string; bytes: Uint8Array }> {
  const found = await findAttachment(context, registry, request);
  const { connection, recordId, file } = found;
  const bytes =
    connection.status === 'sample'
      ? await sampleFile(connection.firstConnectedAt, { recordId, partId: file.partId })
      : await fetchAttachment(context, { registry, schedulers }, { ...found, signal });
  return { name: safeFileName(file), bytes };
}
