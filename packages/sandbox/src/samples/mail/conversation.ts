import type { Attachment } from './mail-draft.ts';
import type { Person } from './people.ts';

/** A thread between people. */
export interface Conversation {
  subject: string;
  /** Days before the anchor on which it begins. */
  daysAgo: number;
  /** Label names of the user, beside INBOX and SENT. */
  labels?: readonly string[];
  important?: boolean;
  starred?: boolean;
  /** Who is copied on every message. */
  cc?: Person;
  /** In turn: who writes ('me' is the owner of the mailbox) and what. */
  turns: readonly (readonly [Person | 'me', string])[];
  /** Sent with the first message. */
  attachments?: readonly Attachment[];
  /** Written by a program that still sends ISO-8859-1. */
  isLatin?: boolean;
}
