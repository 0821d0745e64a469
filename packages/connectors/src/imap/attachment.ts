import { type AttachmentContent, type AttachmentRequest, ProviderError } from '../sdk/index.ts';
import { ImapSession, type SessionOptions } from './session.ts';

/** Times that the server may end the connection instead of sending a file. */
const MAX_LOSSES = 2;
/** Reads the id of a record; see `recordId`. Names of mailboxes may contain slashes. */
function readRecordId(id: string): { mailbox: string; uidValidity: string; uid: number } | undefined {
  const [uid = '', uidValidity = '', ...rest] = id.split('/').reverse();
  const mailbox = rest.reverse().join('/');
  if (mailbox === '' || !/^\d{1,10}$/.test(uid) || !/^\d{1,20}$/.test(uidValidity)) return undefined;
  return { mailbox, uidValidity, uid: Number(uid) };
}

/** Fetches a file of a message. @throws ProviderError */
export async function fetchImapFile(
  { client, recordId, ...request }: AttachmentRequest,
  options: SessionOptions,
): Promise<AttachmentContent> {
  const place = readRecordId(recordId);
  if (!place) return 'record-gone';
  const { mailbox, uidValidity, uid } = place;
  const session = new ImapSession(client, options, mailbox);
  try {
    await session.uidValidity(uidValidity);
    return await session.request({ file: { ...request, uid } }, MAX_LOSSES);
  } catch (error) {
    // The mailbox was deleted, or its messages have other numbers now.
    const isGone = error instanceof ProviderError && ['not-found', 'cursor-expired'].includes(error.failure);
    if (isGone) return 'record-gone';
    throw error;
  } finally {
    session.close();
  }
}
