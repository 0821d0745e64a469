/** A message as the mailbox keeps it: an index entry; its text is read when it is asked for. */
export interface Mail {
  /** 16 hexadecimal digits. */
  id: string;
  threadId: string;
  labelIds: readonly string[];
  /** Milliseconds since 1970. */
  internalDate: number;
  historyId: number;
  /** Bytes of the message text. */
  size: number;
  /** The message as it was sent (RFC 5322). */
  read(): Buffer;
}

/** A label. User labels have colours and ids that begin with Label_. */
export interface Label {
  id: string;
  name: string;
  type: 'system' | 'user';
  color?: { textColor: string; backgroundColor: string };
}

/** What a mailbox is filled with. */
export interface MailboxContents {
  mails: Omit<Mail, 'historyId'>[];
  /** User labels; the system labels are always there. */
  labels: Label[];
}
