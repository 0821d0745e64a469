import { expect } from '@playwright/test';

/** A mail that the sandbox delivers: its headers without the date, and its body. */
interface Mail {
  to: string;
  headers: readonly string[];
  body: string;
}

/** Delivers a mail of this moment to the mailbox of a sample account. */
export async function deliverMail({ url }: { url: string }, { to, headers, body }: Mail): Promise<void> {
  const date = `Date: ${new Date().toUTCString().replace('GMT', '+0000')}`;
  const response = await fetch(`${url}/sandbox/control/actions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      target: 'gmail.insertRaw',
      arguments: [to, [...headers, date, '', body].join('\r\n')],
    }),
  });
  expect(response.ok).toBe(true);
}
