import { setTimeout as sleep } from 'node:timers/promises';
import type { RawResponse } from './transport.ts';

/** Longest wait for an error body. */
const ERROR_BODY_TIMEOUT_MS = 5000;
/** Longest part of an error body that is read. */
const MAX_ERROR_BODY_BYTES = 64 * 1024;

/** Reads the start of the error body, or returns an empty text after 5 s; status and headers suffice to classify. */
export async function readErrorBody(refusal: RawResponse): Promise<string> {
  const late = new AbortController();
  const none = Buffer.alloc(0);
  const bytes = await Promise.race([
    refusal.bytes.catch(() => none),
    sleep(ERROR_BODY_TIMEOUT_MS, none, { signal: late.signal, ref: false }).catch(() => none),
  ]);
  late.abort();
  if (bytes === none) refusal.cancel();
  return bytes.subarray(0, MAX_ERROR_BODY_BYTES).toString();
}
