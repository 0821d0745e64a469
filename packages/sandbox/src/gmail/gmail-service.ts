import type { FastifyRequest } from 'fastify';
import { tokenFrom } from '../carrier/call.ts';
import type { SandboxContext } from '../carrier/sandbox-context.ts';
import type { TokenClaims } from '../oauth/signed-token.ts';
import { type GmailQuota, gmailQuota } from './gmail-quota.ts';
import type { MailboxContents } from './mail.ts';
import { Mailbox } from './mailbox.ts';

/** Who a token belongs to and what it may do. */
export interface GmailCaller {
  email: string;
  subject: string;
  scopes: readonly string[];
}

/** What the Gmail API needs from the OpenID provider. */
export interface GmailIdentity {
  claimsOf(accessToken: string): TokenClaims | undefined;
  emailOf(subject: string): string | undefined;
}

/** Fills the mailbox of an account, by the subject of the account, when it is first opened. */
export type MailboxFiller = (subject: string) => MailboxContents;

const HISTORY_IDS_PER_DAY = 10_000_000;

/** The state of the stand-in for the Gmail API. */
export class GmailService {
  readonly context: SandboxContext;
  readonly quota: GmailQuota;
  readonly #identity: GmailIdentity;
  readonly #fill: MailboxFiller;
  readonly #mailboxes = new Map<string, Mailbox>();

  constructor(context: SandboxContext, identity: GmailIdentity, fill: MailboxFiller) {
    this.context = context;
    this.quota = gmailQuota(context.settings);
    this.#identity = identity;
    this.#fill = fill;
  }

  /** The caller behind a request's access token, if it is good. */
  callerOf(request: FastifyRequest): GmailCaller | undefined {
    const token = tokenFrom(request, ['bearer']);
    const claims = token === undefined ? undefined : this.#identity.claimsOf(token);
    const email = claims && this.#identity.emailOf(claims.subject);
    return claims && email !== undefined
      ? { email, subject: claims.subject, scopes: claims.scope.split(' ') }
      : undefined;
  }

  /**
   * The mailbox of an account. History ids begin with the day, so that ids of an earlier day (whose sample had other
   * dates) are out of range and a client reads everything anew, as Gmail makes it do after a week.
   */
  mailbox(account: { subject: string; email: string }): Mailbox {
    const found = this.#mailboxes.get(account.subject);
    if (found) return found;
    const base = Math.floor(this.context.settings.anchor / 86_400_000) * HISTORY_IDS_PER_DAY;
    const mailbox = new Mailbox(account.email, this.#fill(account.subject), base);
    this.#mailboxes.set(account.subject, mailbox);
    return mailbox;
  }

  reset(): void {
    this.#mailboxes.clear();
    this.quota.units.reset();
    this.quota.gate.reset();
  }
}
