import type { SearchResult } from '@datadeck/contract';

type RecordKey = Pick<SearchResult, 'providerId' | 'entityLabel' | 'recordId'> & {
  /** The account whose copy is meant; any without it. */
  account?: string | undefined;
};

/** Writes a record for the address: `record=google/gmail-messages/18c2…&of=ada@example.org`. */
export const recordParameters = ({ providerId, entityLabel, recordId, account = '' }: RecordKey) => ({
  record: [providerId, entityLabel, recordId].join('/'),
  of: account,
});

/** Reads a record from the address; undefined if none is named. An id may contain slashes. */
export function readRecordParameters(get: (name: string) => string): RecordKey | undefined {
  const [providerId = '', entityLabel = '', ...rest] = get('record').split('/');
  const recordId = rest.join('/');
  if (!providerId || !entityLabel || !recordId) return undefined;
  return { providerId, entityLabel, recordId, account: get('of') || undefined };
}
