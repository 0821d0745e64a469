import {
  ProviderError,
  receiveRecords,
  type SentRecords,
  sendRecords,
  TaskThread,
  transferable,
} from '../sdk/index.ts';
import { readPulls } from './pull-list.ts';
import type { PullRecord } from './pull-record.ts';

/** Smaller answers are read on the main thread: the way to the thread and back takes longer. */
const LARGE_BYTES = 64 * 1024;
/** Largest answer that is read, bytes; a page of a hundred pull requests has 2 MB. */
const MAX_BYTES = 96 * 1024 * 1024;
/** A page of a hundred takes some 20 ms. */
const LIMITS = { timeoutMs: 20_000, heapMb: 512 };

/** A page to be read. */
export interface PullTask {
  json: Uint8Array<ArrayBuffer>;
  repository: string;
}

/** One for the process. */
const pullThread = new TaskThread(new URL('./pull-thread.ts', import.meta.url), LIMITS);

/**
 * Reads the JSON of `GET /repos/{owner}/{repo}/pulls`, large pages off the main thread. Its memory is gone afterwards.
 * @throws ProviderError `malformed`, ThreadLimitError, SyntaxError for text that is not JSON
 */
export async function readPullPage(json: Buffer, repository: string): Promise<PullRecord[]> {
  if (json.length > MAX_BYTES)
    throw new ProviderError('malformed', 'GitHub sent a page that is too large to be read.');
  if (json.length < LARGE_BYTES) return receiveRecords(sendRecords(readPulls(json, repository)));
  const bytes = transferable(json);
  const task: PullTask = { json: bytes, repository };
  return receiveRecords(await pullThread.run<SentRecords<Omit<PullRecord, 'data'>>>(task, [bytes.buffer]));
}
