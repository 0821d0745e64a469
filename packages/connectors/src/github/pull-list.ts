// The page thread loads this file, so import from the SDK's files; its index loads much more.
import { ProviderError } from '../sdk/provider-error.ts';
import { type PullRecord, pullRecord } from './pull-record.ts';

/**
 * Parses the JSON of `GET /repos/{owner}/{repo}/pulls`.
 * @throws ProviderError `malformed`; SyntaxError for text that is not JSON
 */
export function readPulls(json: Uint8Array, repository: string): PullRecord[] {
  const list: unknown = JSON.parse(Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString());
  if (!Array.isArray(list))
    throw new ProviderError('malformed', 'GitHub sent a response that is not a list of pull requests.');
  return list.map((raw) => pullRecord(raw, repository));
}
