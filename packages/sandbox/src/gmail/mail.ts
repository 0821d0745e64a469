/** A message in the index of a mailbox; its text is read on request. */
export interface Mail {
  /** 16 hexadecimal digits. */
  id: string;
  threadId: string;
  labelIds: readonly string[];
  /** Milliseconds since 1970. */
  internalDate: number;
  historyId: number;
  /** Size of the message text, bytes. */
  size: number;
  /** Returns the message as it was sent (RFC 5322). */
  read(): Buffer;
}

/** A label. User labels have colours and ids that begin with Label_. */
export interface Label {
  id: string;
  name: string;
  type: 'system' | 'user';
  color?: { textColor: string; backgroundColor: string };
}

/** The initial content of a mailbox. */
export interface MailboxContents {
  mails: Omit<Mail, 'historyId'>[];
  /** User labels; every mailbox has the system labels too. */
  labels: Label[];
}
