import {
  type ConnectorRecord,
  ProviderError,
  receiveRecords,
  type SentRecords,
  TaskThread,
  transferable,
} from '../sdk/index.ts';

/** Largest answer that is read, bytes: Gmail takes messages of up to 50 MB, which base64 makes larger. */
const MAX_BYTES = 96 * 1024 * 1024;
/** The largest answers take some two seconds. */
const LIMITS = { timeoutMs: 20_000, heapMb: 512 };

/** A message, or a thread of messages, to be read. */
export interface MailTask {
  kind: 'message' | 'thread';
  json: Uint8Array<ArrayBuffer>;
}

/** One for the process. */
const mailThread = new TaskThread(new URL('./mail-thread.ts', import.meta.url), LIMITS);

/**
 * Reads the JSON of messages off the main thread. Its memory is gone afterwards.
 * @throws ProviderError `malformed`, ThreadLimitError, SyntaxError for what is no JSON
 */
export async function readMail(kind: MailTask['kind'], json: Buffer): Promise<ConnectorRecord[]> {
  if (json.length > MAX_BYTES)
    throw new ProviderError('malformed', 'Gmail sent a message that is too large to be read.');
  const bytes = transferable(json);
  const task: MailTask = { kind, json: bytes };
  return receiveRecords(await mailThread.run<SentRecords>(task, [bytes.buffer]));
}
