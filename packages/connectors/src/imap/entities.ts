/** What a connector declares whose mails are read by IMAP; only how a session is opened differs. */
export type { Account } from './account.ts';
export { classifyImap, refusalText } from './classify.ts';
export { mailboxEntity } from './mailboxes.ts';
export { messageEntity } from './messages.ts';
export type { SessionOptions } from './session.ts';
