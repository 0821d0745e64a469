import {
  type ConnectorRecord,
  ProviderError,
  receiveRecords,
  type SentRecords,
  TaskThread,
  transferable,
} from '../sdk/index.ts';

/** Largest response that is read, bytes: Gmail accepts messages of up to 50 MB, which base64 enlarges. */
const MAX_BYTES = 96 * 1024 * 1024;
/** The largest responses take about two seconds. */
const LIMITS = { timeoutMs: 20_000, heapMb: 512 };

/** The JSON of a message or of a thread of messages to parse. */
export interface MailTask {
  kind: 'message' | 'thread';
  json: Uint8Array<ArrayBuffer>;
}

/** One thread for the whole process. */
const mailThread = new TaskThread(new URL('./mail-thread.ts', import.meta.url), LIMITS);

/**
 * Parses the JSON of messages in a thread. Transfers the buffer, which is unusable afterwards.
 * @throws ProviderError `malformed`, ThreadLimitError, SyntaxError for invalid JSON
 */
export async function readMail(kind: MailTask['kind'], json: Buffer): Promise<ConnectorRecord[]> {
  if (json.length > MAX_BYTES)
    throw new ProviderError('malformed', 'Gmail sent a message that is too large to read.');
  const bytes = transferable(json);
  const task: MailTask = { kind, json: bytes };
  return receiveRecords(await mailThread.run<SentRecords>(task, [bytes.buffer]));
}
