import type { ListedMailbox } from './mailbox-list.ts';
import type { MessagesRequest, ReadMessages } from './message-read.ts';
import type { Changes, ChangesRequest, Heads, HeadsRequest } from './message-uids.ts';
import type { Opening } from './open.ts';

/** Questions to an open connection. */
export interface SessionRequests {
  mailboxes: { counts: boolean };
  heads: HeadsRequest;
  changes: ChangesRequest;
  messages: MessagesRequest;
  /** How many messages the mailbox holds; also only to open it. */
  count: true;
}

/** Their answers. */
export interface SessionAnswers {
  mailboxes: ListedMailbox[];
  heads: Heads;
  changes: Changes;
  messages: ReadMessages;
  count: number;
}

type Question = { [Kind in keyof SessionRequests]: { [Key in Kind]: SessionRequests[Kind] } };

/** Tasks of a session's thread. */
export type SessionTask =
  | { open: Opening }
  | { close: { isPolite: boolean } }
  | Question[keyof SessionRequests];

/** The answer when there is no connection, or no longer. */
export const NOT_OPEN = 'not open';
