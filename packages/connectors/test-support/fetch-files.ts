import type {
  AttachmentContent,
  ConnectorRecord,
  EntityDefinition,
  ProviderClient,
} from '../src/sdk/index.ts';

interface StoredFile {
  filename: string;
  mimeType: string;
  partId?: string;
}

/** Returns the document of a record. */
export const documentOf = ({ data }: ConnectorRecord) =>
  (Buffer.isBuffer(data) ? JSON.parse(data.toString()) : data) as {
    subject: string;
    attachments: StoredFile[];
  };

/** Fetches all files of a record. @param maxBytes largest file. Default: 1 MB */
export async function fetchFiles(
  { fetchAttachment }: Pick<EntityDefinition, 'fetchAttachment'>,
  record: ConnectorRecord,
  { client, maxBytes = 1_000_000 }: { client: ProviderClient; maxBytes?: number },
): Promise<(AttachmentContent | undefined)[]> {
  const { attachments } = documentOf(record);
  const contents: (AttachmentContent | undefined)[] = [];
  for (const [index, file] of attachments.entries())
    contents.push(
      await fetchAttachment?.({
        client,
        recordId: record.id,
        file,
        index,
        count: attachments.length,
        maxBytes,
      }),
    );
  return contents;
}
