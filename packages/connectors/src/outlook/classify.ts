import { classifyImap, refusalText } from '../imap/entities.ts';
import type { FailedAnswer } from '../sdk/index.ts';

/** Exchange accepts the token and then refuses every command, first of all NAMESPACE. */
const NOT_CONNECTED = /authenticated but not connected/i;

const SWITCH_ON =
  'An administrator of Microsoft 365 switches it on under Users → Active users → Mail → Manage email apps; at Outlook.com it is under Settings → Mail → Forwarding and IMAP. Datadeck continues at the next run.';

/** Messages for the user. */
export const OUTLOOK_MESSAGES = {
  imapOff: `Microsoft accepted the sign-in, but its mail server refuses IMAP for this mailbox: IMAP is switched off, or a policy of the organization blocks it. ${SWITCH_ON}`,
  noMailbox: `Microsoft accepted the sign-in, but opens no mailbox by IMAP for this account: IMAP is switched off for it, or it has no mailbox. ${SWITCH_ON}`,
} as const;

/**
 * Classifies a failure of Exchange's IMAP server. A token that is refused is renewed once. If the new one is refused as well, the
 * mailbox is closed to IMAP: the connection stays, because connecting again would not open it.
 */
export function classifyOutlook(error: unknown, now: number): FailedAnswer | undefined {
  if (NOT_CONNECTED.test(refusalText(error)))
    return { kind: 'fail', failure: 'forbidden', message: OUTLOOK_MESSAGES.noMailbox };
  const failed = classifyImap(error, now);
  return failed?.kind === 'expired-token'
    ? { kind: 'expired-token', failure: 'forbidden', message: OUTLOOK_MESSAGES.imapOff }
    : failed;
}
