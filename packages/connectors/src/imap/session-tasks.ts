import type { AttachmentContent } from '../sdk/attachments.ts';
import type { FileRequest } from './mail-file.ts';
import type { MessagesRequest, ReadMessages } from './mail-read.ts';
import type { Changes, ChangesRequest, ListRequest, MessageList } from './mail-uids.ts';
import type { ListedMailbox } from './mailbox-list.ts';
import type { OpenOptions } from './open.ts';

/** Requests to an open connection, by kind. */
export interface SessionRequests {
  mailboxes: { maxCounts: number };
  list: ListRequest;
  changes: ChangesRequest;
  messages: MessagesRequest;
  /** Requests the content of one file of a message. */
  file: FileRequest;
  /** Requests the number of messages, of all or of those that arrived since a time; also used to open the mailbox. */
  count: { since?: number | undefined };
}

/** Responses to `SessionRequests`, by kind. */
export interface SessionAnswers {
  mailboxes: ListedMailbox[];
  list: MessageList;
  changes: Changes;
  messages: ReadMessages;
  file: AttachmentContent;
  count: number;
}

type OneRequest = { [Kind in keyof SessionRequests]: { [Key in Kind]: SessionRequests[Kind] } };

/** A task of the session thread. */
export type SessionTask =
  | { open: OpenOptions }
  | { close: { withLogout: boolean } }
  | OneRequest[keyof SessionRequests];

/** The response when no connection is open. */
export const NOT_OPEN = 'not open';
