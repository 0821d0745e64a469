import { type AttachmentContent, type AttachmentRequest, ProviderError } from '../sdk/index.ts';
import { ImapSession, type SessionOptions } from './session.ts';

/** Times that the server may end the connection instead of sending a file. */
const MAX_LOSSES = 2;
/** The id of a record; see `recordId`. Names of mailboxes may contain slashes. */
const RECORD_ID = /^(.+)\/(\d{1,20})\/(\d{1,10})$/s;

/** Fetches a file of a message. @throws ProviderError */
export async function fetchImapFile(
  { client, recordId, ...request }: AttachmentRequest,
  options: SessionOptions,
): Promise<AttachmentContent> {
  const [, mailbox, uidValidity, uid] = RECORD_ID.exec(recordId) ?? [];
  if (mailbox === undefined) return 'record-gone';
  const session = new ImapSession(client, options, mailbox);
  try {
    await session.uidValidity(uidValidity);
    return await session.request({ file: { ...request, uid: Number(uid) } }, MAX_LOSSES);
  } catch (error) {
    // The mailbox was deleted, or its messages have other numbers now.
    const isGone = error instanceof ProviderError && ['not-found', 'cursor-expired'].includes(error.failure);
    if (isGone) return 'record-gone';
    throw error;
  } finally {
    session.close();
  }
}
