/** Longest times for a connection, the server's greeting and an answer, ms. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };
const MAX_ANSWER = 200;

/** The server that sends mails, as a `smtp://` or `smtps://` URL, and their sender. */
export interface MailSettings {
  url: string;
  from: string;
}

/** Thrown when the server did not take a mail; the message is for the recipient, without names of the server. */
export class MailRefused extends Error {}

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Identical for each attempt at one message, so that mailboxes recognise duplicates. */
  id: string;
}

/** Returns the domain of a sender, `Name <user@domain>`. */
function domainOf(from: string): string {
  return /@([^<>@\s]+?)>?$/.exec(from)?.[1] ?? 'localhost';
}

function messageFor(error: unknown): string {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  if (responseCode !== undefined) return `The mail server answered ${responseCode}.`;
  if (code === 'EAUTH') return 'The mail server refuses the sign-in of this installation.';
  if (code === 'ETIMEDOUT') return 'The mail server did not answer in time.';
  return 'The mail server cannot be reached.';
}

/**
 * Sends a mail through the configured server, once.
 * @returns the server's answer
 * @throws MailRefused
 */
export async function sendMail(settings: MailSettings, mail: Mail): Promise<string> {
  // Most installations send no mails.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    url: settings.url,
    ...TIMEOUTS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    const { response } = await transport.sendMail({
      from: settings.from,
      to: { name: '', address: mail.to },
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      messageId: `<${mail.id}@${domainOf(settings.from)}>`,
      headers: { 'auto-submitted': 'auto-generated' },
    });
    return response.slice(0, MAX_ANSWER);
  } catch (error) {
    throw new MailRefused(messageFor(error), { cause: error });
  } finally {
    transport.close();
  }
}
