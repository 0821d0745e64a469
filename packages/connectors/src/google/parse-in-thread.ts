import { ProviderError, receiveRecords, type SentRecords, TaskThread, transferable } from '../sdk/index.ts';
import type { FileResults, FileTask } from './mail-file-parsing.ts';
import { type MailKind, type MailTask, parseMail, type TextResponse } from './mail-parsing.ts';
import type { MailRecord } from './mail-record.ts';

/** Largest response that is read, bytes: Gmail accepts messages of up to 50 MB, which base64 enlarges. */
const MAX_BYTES = 96 * 1024 * 1024;
/** The largest responses take about two seconds. */
const LIMITS = { timeoutMs: 20_000, heapMb: 512 };

/** Largest response that the main thread parses, bytes: it takes less time there than its way to the thread and back. */
const MAX_BYTES_ON_MAIN_THREAD = 16 * 1024;

/** One thread for the whole process. */
const mailThread = new TaskThread(new URL('./mail-thread.ts', import.meta.url), LIMITS);

/**
 * Converts a response with one message, or with a thread of messages, to one record for each message. Parses responses
 * over 16 KB in a worker thread. Do not use the buffers afterwards: they may have been transferred to the worker.
 * @param texts of the message that Gmail returned on their own
 * @throws ProviderError `malformed`, ThreadLimitError, SyntaxError for invalid JSON
 */
export async function readMail(
  kind: MailKind,
  json: Buffer,
  texts: readonly TextResponse[] = [],
): Promise<MailRecord[]> {
  const length = texts.reduce((sum, text) => sum + text.json.length, json.length);
  if (length > MAX_BYTES)
    throw new ProviderError('malformed', 'Gmail sent a message that is too large to read.');
  if (length <= MAX_BYTES_ON_MAIN_THREAD) return parseMail({ kind, json, texts });
  const bytes = transferable(json);
  const task: MailTask = { kind, json: bytes, texts };
  return receiveRecords(await mailThread.run<SentRecords<Omit<MailRecord, 'data'>>>(task, [bytes.buffer]));
}

/**
 * Reads a file of a message, or where Gmail has it, from a response, always in the worker thread. Do not use the buffer
 * afterwards.
 * @throws ProviderError `malformed`, ThreadLimitError, SyntaxError for invalid JSON
 */
export async function readFile<Kind extends FileTask['file']>(
  file: Kind,
  json: Buffer,
  partId: string,
): Promise<FileResults[Kind]> {
  if (json.length > MAX_BYTES)
    throw new ProviderError('malformed', 'Gmail sent a file that is too large to read.');
  const bytes = transferable(json);
  const task: FileTask = { file, json: bytes, partId };
  return mailThread.run(task, [bytes.buffer]);
}
