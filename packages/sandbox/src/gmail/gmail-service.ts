import type { FastifyRequest } from 'fastify';
import type { TokenClaims } from '../oauth/signed-token.ts';
import { tokenFrom } from '../requests/call.ts';
import type { SandboxContext } from '../requests/sandbox-context.ts';
import { type GmailQuota, gmailQuota } from './gmail-quota.ts';
import type { MailboxContents } from './mail.ts';
import { Mailbox } from './mailbox.ts';

/** The account of a token and its permissions. */
export interface GmailCaller {
  email: string;
  subject: string;
  scopes: readonly string[];
}

/** The part of the OpenID provider that the Gmail API uses. */
export interface GmailIdentity {
  claimsOf(accessToken: string): TokenClaims | undefined;
  emailOf(subject: string): string | undefined;
}

/** Returns the initial mailbox of an account, by its subject; called when it is first opened. */
export type MailboxFiller = (subject: string) => MailboxContents;

const HISTORY_IDS_PER_DAY = 10_000_000;

/** The state of the simulated Gmail API. */
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

  /** Returns the caller of a request; undefined without a valid access token. */
  callerOf(request: FastifyRequest): GmailCaller | undefined {
    const token = tokenFrom(request, ['bearer']);
    const claims = token === undefined ? undefined : this.#identity.claimsOf(token);
    const email = claims && this.#identity.emailOf(claims.subject);
    return claims && email !== undefined
      ? { email, subject: claims.subject, scopes: claims.scope.split(' ') }
      : undefined;
  }

  /**
   * Returns the mailbox of an account. History ids start with the day, so ids of an earlier day, whose sample had other
   * dates, are out of range and force a full sync, as Gmail does after a week.
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
