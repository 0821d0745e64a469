import { useDispatch } from 'react-redux';
import { REQUEST_SETTINGS } from './base-api.ts';
import type { RequestOptions } from './request.ts';
import { sessionEnded } from './session-ended.ts';

function fetchFile({ url, method, params = {}, body }: RequestOptions): Promise<Response> {
  const headers = new Headers(body === undefined ? {} : { 'content-type': 'application/json' });
  REQUEST_SETTINGS.prepareHeaders(headers);
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(params))
    if (value !== undefined) search.set(name, String(value));
  return fetch(`${url}?${search}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

/** Returns a function that fetches a file with the session token. It returns null on an error status or network failure. */
export function useDownload(): (options: RequestOptions) => Promise<Blob | null> {
  const dispatch = useDispatch();
  return async (options) => {
    try {
      const response = await fetchFile(options);
      if (response.status === 401) dispatch(sessionEnded());
      return response.ok ? await response.blob() : null;
    } catch {
      return null;
    }
  };
}
