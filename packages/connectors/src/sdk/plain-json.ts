import { ProviderError } from './provider-error.ts';

/** Largest text that is parsed on the main thread: larger ones take more than a tenth of a second. */
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * Parses an answer of a provider on the main thread.
 * @param title name of the provider
 * @throws ProviderError `malformed` for one of more than 8 MB; SyntaxError
 */
export function parsePlainJson(json: Buffer, title: string): unknown {
  if (json.length > MAX_BYTES)
    throw new ProviderError('malformed', `${title} sent an answer that is too large to be read.`);
  return JSON.parse(json.toString());
}
