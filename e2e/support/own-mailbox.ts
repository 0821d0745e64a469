import { Dovecot, MailboxControl } from '../../packages/connectors/test-support/imap/index.ts';

/** Password of Ada in `startMailbox`. */
export const MAILBOX_PASSWORD = 'open sesame';

/** Starts Dovecot with a mailbox of `ada` that has one mail, with the subject `Hello`. */
export async function startMailbox(): Promise<Dovecot> {
  const dovecot = await Dovecot.start({ ada: MAILBOX_PASSWORD });
  const mailbox = new MailboxControl(dovecot, 'ada', MAILBOX_PASSWORD);
  await mailbox.append('INBOX', 'From: Bo <bo@example.org>\r\nSubject: Hello\r\n\r\nHow are you?');
  mailbox.close();
  return dovecot;
}
