import type { Attachment } from './mail-draft.ts';
import type { Person } from './people.ts';

/** A conversation between people. */
export interface Conversation {
  subject: string;
  /** Days between the first message and the anchor. */
  daysAgo: number;
  /** Names of user labels, in addition to INBOX and SENT. */
  labels?: readonly string[];
  important?: boolean;
  starred?: boolean;
  /** The person in copy on every message. */
  cc?: Person;
  /** Sender and text of each message; 'me' is the owner of the mailbox. */
  turns: readonly (readonly [Person | 'me', string])[];
  /** Sent with the first message. */
  attachments?: readonly Attachment[];
  /** Whether the sender's program still uses ISO-8859-1. */
  isLatin?: boolean;
}
