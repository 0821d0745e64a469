import { useDispatch } from 'react-redux';
import { REQUEST_SETTINGS } from './base-api.ts';
import type { RequestError, RequestOptions } from './request.ts';
import { sessionEnded } from './session-ended.ts';

function sendRequest({ url, method, params = {}, body, signal }: RequestOptions): Promise<Response> {
  const headers = new Headers(body === undefined ? {} : { 'content-type': 'application/json' });
  REQUEST_SETTINGS.prepareHeaders(headers);
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(params))
    if (value !== undefined) search.set(name, String(value));
  return fetch(`${url}?${search}`, {
    method,
    headers,
    ...(signal && { signal }),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

/** A fetched file, or why there is none. */
export type FetchedFile = { file: Blob; error?: undefined } | { file?: undefined; error: RequestError };

/** Returns a function that fetches a file with the session token. */
export function useFetchFile(): (options: RequestOptions) => Promise<FetchedFile> {
  const dispatch = useDispatch();
  return async (options) => {
    try {
      const response = await sendRequest(options);
      if (response.status === 401) dispatch(sessionEnded());
      if (response.ok) return { file: await response.blob() };
      const data: unknown = await response.json().catch(() => null);
      return { error: { status: response.status, data } };
    } catch (reason) {
      return { error: { status: 'FETCH_ERROR', error: String(reason) } };
    }
  };
}

/** Returns a function that fetches a file with the session token. It returns null on an error status or network failure. */
export function useDownload(): (options: RequestOptions) => Promise<Blob | null> {
  const fetchFile = useFetchFile();
  return async (options) => (await fetchFile(options)).file ?? null;
}
