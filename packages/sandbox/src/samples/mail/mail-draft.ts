/** A sample message before it is put into the form of RFC 5322. */
export interface MailDraft {
  /** Unique in the mailbox; the message's id is made from it. */
  key: string;
  from: string;
  to: string;
  cc?: string;
  subject: string;
  /** Milliseconds since 1970. */
  date: number;
  text: string;
  html?: string;
  attachments?: readonly Attachment[];
  labelIds: readonly string[];
  /** Key of the message that it answers. */
  answers?: string;
  /** Keys of the thread's earlier messages. */
  earlier?: readonly string[];
  /** Further headers, e.g. List-Id. */
  headers?: Readonly<Record<string, string>>;
  /** Sent in this charset instead of UTF-8, to be like the mail of older programs. */
  charset?: 'iso-8859-1';
}

/** A file sent along; made when the message is read. */
export interface Attachment {
  name: string;
  type: string;
  make(): Buffer;
}
