import { type AttachmentContent, type AttachmentRequest, ProviderError } from '../sdk/index.ts';
import { pathOf } from './mail-fetch.ts';
import type { FileResults, FileTask } from './mail-file-parsing.ts';
import { readFile } from './parse-in-thread.ts';

/** Quota units of a request for a message or an attachment. */
const UNITS = 20;
/** Largest source of a message that is requested for a file in it, by the largest size of a file: Gmail accepts 50 MB. */
const SOURCE_FACTOR = 2;

/** Requests a message or an attachment and reads it in a thread. @returns undefined if Gmail does not find it */
async function request<Kind extends FileTask['file']>(
  { client, file: { partId = '' } }: AttachmentRequest,
  file: Kind,
  { path, query }: { path: string; query: Record<string, string> },
): Promise<FileResults[Kind] | undefined> {
  try {
    const parse = (json: Buffer) => readFile(file, json, partId);
    return (await client.get({ path, query, units: UNITS, parse })).body;
  } catch (error) {
    if (error instanceof ProviderError && error.failure === 'not-found') return undefined;
    throw error;
  }
}

/**
 * Fetches a file of a message. Ids of attachments are valid for a short time, so the structure of the message is requested
 * first; the file costs the quota of two messages. @throws ProviderError
 */
export async function fetchGmailFile(asked: AttachmentRequest): Promise<AttachmentContent> {
  const { recordId, maxBytes } = asked;
  const path = pathOf(recordId);
  const limited = (bytes: Uint8Array): AttachmentContent => (bytes.length > maxBytes ? 'too-large' : bytes);

  const full = { format: 'full', fields: 'sizeEstimate,payload' };
  const place = await request(asked, 'structure', { path, query: full });
  if (place === undefined) return 'record-gone';
  if (place === null) return 'attachment-gone';
  if ('bytes' in place) return limited(place.bytes);
  if ('sourceSize' in place) {
    if (place.sourceSize > SOURCE_FACTOR * maxBytes) return 'mail-too-large';
    const query = { format: 'raw', fields: 'raw' };
    const bytes = await request(asked, 'source', { path, query });
    return bytes ? limited(bytes) : 'attachment-gone';
  }
  if (place.size > maxBytes) return 'too-large';
  const attachment = `${path}/attachments/${encodeURIComponent(place.attachmentId)}`;
  const bytes = await request(asked, 'attachment', { path: attachment, query: { fields: 'data' } });
  if (bytes === undefined) return 'attachment-gone';
  if (bytes === null) throw new ProviderError('malformed', 'Gmail sent a file that cannot be read.');
  return limited(bytes);
}
