import { useDispatch } from 'react-redux';
import { REQUEST_SETTINGS } from './base-api.ts';
import { type FetchedFile, type RequestOptions, requestFile } from './request.ts';
import { sessionEnded } from './session-ended.ts';

/** Returns a function that fetches a file with the session token. */
export function useFetchFile(): (options: RequestOptions) => Promise<FetchedFile> {
  const dispatch = useDispatch();
  return async (options) => {
    const fetched = await requestFile(options, REQUEST_SETTINGS);
    if (fetched.error?.status === 401) dispatch(sessionEnded());
    return fetched;
  };
}

/** Returns a function that fetches a file with the session token. It returns null on an error status or network failure. */
export function useDownload(): (options: RequestOptions) => Promise<Blob | null> {
  const fetchFile = useFetchFile();
  return async (options) => (await fetchFile(options)).file ?? null;
}
