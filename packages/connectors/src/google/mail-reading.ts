import {
  type ConnectorRecord,
  ProviderError,
  receiveRecords,
  type SentRecords,
  TaskThread,
  transferable,
} from '../sdk/index.ts';
import { type MailKind, parseMail } from './mail-parsing.ts';

/** Largest response that is read, bytes: Gmail accepts messages of up to 50 MB, which base64 enlarges. */
const MAX_BYTES = 96 * 1024 * 1024;
/** The largest responses take about two seconds. */
const LIMITS = { timeoutMs: 20_000, heapMb: 512 };

/** Largest response that the main thread parses, bytes: it takes less time there than its way to the thread and back. */
const MAX_BYTES_ON_MAIN_THREAD = 16 * 1024;

/** A response to parse. */
export interface MailTask {
  kind: MailKind;
  json: Uint8Array<ArrayBuffer>;
}

/** One thread for the whole process. */
const mailThread = new TaskThread(new URL('./mail-thread.ts', import.meta.url), LIMITS);

/**
 * Converts a response with one message, or with a thread of messages, to one record for each message. Parses responses
 * over 16 KB in a worker thread. Do not use the buffer afterwards: it may have been transferred to the worker.
 * @throws ProviderError `malformed`, ThreadLimitError, SyntaxError for invalid JSON
 */
export async function readMail(kind: MailKind, json: Buffer): Promise<ConnectorRecord[]> {
  if (json.length > MAX_BYTES)
    throw new ProviderError('malformed', 'Gmail sent a message that is too large to read.');
  if (json.length <= MAX_BYTES_ON_MAIN_THREAD) return parseMail(kind, json);
  const bytes = transferable(json);
  const task: MailTask = { kind, json: bytes };
  return receiveRecords(await mailThread.run<SentRecords>(task, [bytes.buffer]));
}
