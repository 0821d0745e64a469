import {
  ProviderError,
  receiveRecords,
  type SentRecords,
  sendRecords,
  TaskThread,
  transferable,
} from '../../sdk/index.ts';
import type { ListedRecord } from '../records/github-record.ts';
import { type ListKind, parseList } from './parse.ts';

/** Smaller responses are parsed on the main thread, which is faster than a round trip to the worker thread. */
const LARGE_BYTES = 64 * 1024;
/** Largest response that is read; a page of a hundred pull requests has 2 MB. */
const MAX_BYTES = 96 * 1024 * 1024;
/** A page of a hundred takes about 20 ms. */
const LIMITS = { timeoutMs: 20_000, heapMb: 512 };

/** The JSON of a page to parse. */
export interface ListTask {
  json: Uint8Array<ArrayBuffer>;
  kind: ListKind;
  repository: string;
}

/** One thread for the whole process. */
const listThread = new TaskThread(new URL('./list-thread.ts', import.meta.url), LIMITS);

/**
 * Parses the JSON of a page of a list, large pages in a thread. Transfers the buffer, which is unusable
 * afterwards.
 * @throws ProviderError `malformed`, ThreadLimitError, SyntaxError for text that is not JSON
 */
export async function readListPage(
  json: Buffer,
  kind: ListKind,
  repository: string,
): Promise<ListedRecord[]> {
  if (json.length > MAX_BYTES)
    throw new ProviderError('malformed', 'GitHub sent a page that is too large to read.');
  if (json.length < LARGE_BYTES) return receiveRecords(sendRecords(parseList(json, kind, repository)));
  const bytes = transferable(json);
  const task: ListTask = { json: bytes, kind, repository };
  return receiveRecords(await listThread.run<SentRecords<Omit<ListedRecord, 'data'>>>(task, [bytes.buffer]));
}
