import { actOnSandbox } from './act-on-sandbox.ts';

/** A mail that the sandbox delivers: its headers without the date, and its body. */
interface Mail {
  to: string;
  headers: readonly string[];
  body: string;
  /** Its thread; absent for a new one. */
  threadId?: string | undefined;
}

/** Delivers a mail of this moment to the mailbox of a sample account. */
export async function deliverMail(
  { url }: { url: string },
  { to, headers, body, threadId }: Mail,
): Promise<void> {
  const date = `Date: ${new Date().toUTCString().replace('GMT', '+0000')}`;
  const raw = [...headers, date, '', body].join('\r\n');
  await actOnSandbox(url, 'gmail.insertRaw', to, raw, ['INBOX', 'UNREAD'], threadId);
}
