/** A sample message before it is written as RFC 5322. */
export interface MailDraft {
  /** Unique in the mailbox; determines the message's id. */
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
  /** Further headers, for example List-Id. */
  headers?: Readonly<Record<string, string>>;
  /** Charset other than UTF-8, to simulate mail of older programs. */
  charset?: 'iso-8859-1';
}

/** An attached file; created when the message is read. */
export interface Attachment {
  name: string;
  type: string;
  make(): Buffer;
}
