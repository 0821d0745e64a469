import type { MessageResource, PartResource } from '@datadeck/sandbox/parts';
import type { DueFaults } from '../faults/fault-injector.ts';

/** The token of the first page. */
const FIRST_PAGE = `${2n ** 63n * 2n ** 64n}`;

/** An answer with a list of messages, threads or history records. */
export interface List {
  messages?: unknown[];
  threads?: unknown[];
  history?: unknown[];
  nextPageToken?: string;
}

/** Returns whether a payload is a list. */
export function isList(payload: object): payload is List {
  return 'resultSizeEstimate' in payload || 'historyId' in payload;
}

/** Returns the list, damaged if a fault is due. @param pageToken the token that the request has */
export function oddList(list: List, pageToken: string | null, faults: DueFaults): List {
  if (faults.take('history-repeats')) {
    const records = list.history ?? [];
    return records.length === 0 ? list : { ...list, history: [...records, ...records].reverse() };
  }
  if (pageToken !== null && faults.take('page-token-loop')) return { ...list, nextPageToken: pageToken };
  if (pageToken !== null && pageToken !== FIRST_PAGE && faults.take('page-token-cycle'))
    return { ...list, nextPageToken: FIRST_PAGE };
  if (!faults.take('empty-page-with-next')) return list;
  const { messages: _messages, threads: _threads, ...rest } = list;
  return { ...rest, nextPageToken: pageToken ?? FIRST_PAGE };
}

/** Returns the message, damaged if a fault is due. */
export function oddMessage(
  message: MessageResource,
  faults: DueFaults,
): MessageResource | Record<string, unknown> {
  if (faults.take('missing-payload')) return { ...message, payload: undefined };
  if (message.payload && faults.take('missing-body'))
    changeParts(message.payload, (part) => delete part.body);
  if (message.payload && faults.take('bad-base64url')) {
    changeParts(message.payload, (part) => {
      if (part.body?.data !== undefined) part.body.data = `%%${part.body.data.slice(3)}*`;
    });
  }
  return faults.take('unknown-field')
    ? { ...message, classificationLabelValues: [{ labelId: 'new', fields: [] }] }
    : message;
}

function changeParts(part: PartResource, change: (part: PartResource) => void): void {
  change(part);
  for (const child of part.parts ?? []) changeParts(child, change);
}
