import type { SearchResult } from '@datadeck/contract';

type RecordKey = Pick<SearchResult, 'providerId' | 'entityLabel' | 'recordId'>;

/** Writes a record for the address: `google/gmail-messages/18c2…`. */
export const recordParameter = ({ providerId, entityLabel, recordId }: RecordKey) =>
  [providerId, entityLabel, recordId].join('/');

/** Reads a record from the address; undefined if none is named. An id may contain slashes. */
export function readRecordParameter(text: string): RecordKey | undefined {
  const [providerId = '', entityLabel = '', ...rest] = text.split('/');
  const recordId = rest.join('/');
  return providerId && entityLabel && recordId ? { providerId, entityLabel, recordId } : undefined;
}
