import { REQUEST_SETTINGS } from './base-api.ts';
import type { RequestOptions } from './request.ts';

/** Fetches a file with the session's token; null when the server refuses or cannot be reached. */
export async function download({ url, params = {} }: RequestOptions): Promise<Blob | null> {
  const headers = new Headers();
  REQUEST_SETTINGS.prepareHeaders(headers);
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(params))
    if (value !== undefined) search.set(name, String(value));
  try {
    const response = await fetch(`${url}?${search}`, { headers });
    return response.ok ? await response.blob() : null;
  } catch {
    return null;
  }
}
