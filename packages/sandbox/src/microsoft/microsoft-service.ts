import { ExpiringMap } from '../oauth/expiring-map.ts';
import type { CodeChallenge } from '../oauth/pkce.ts';
import { SignedTokens } from '../oauth/signed-token.ts';
import { SigningKeys } from '../oauth/signing-keys.ts';
import type { SandboxContext } from '../requests/sandbox-context.ts';
import { CONSUMERS, domainOf, type MicrosoftAccount, subjectOf } from './microsoft-account.ts';

/** A valid authorisation request. */
export interface MicrosoftRequest {
  tenant: string;
  redirectUri: string;
  state: string | undefined;
  nonce: string | undefined;
  scopes: string[];
  challenge: CodeChallenge | undefined;
  prompt: string[];
  loginHint: string | undefined;
}

/** An authorisation request that the user has not completed yet, or the code of a completed one. */
export interface MicrosoftInteraction {
  request: MicrosoftRequest;
  /** Set when the user has selected an account. */
  subject?: string;
}

/** Tenants whose discovery document names a template instead of an issuer. */
const SHARED = ['common', 'organizations'];
const ACCESS_SECONDS = 3599;

/** The state of the simulated identity platform of Microsoft. There is no mail server behind it. */
export class MicrosoftService {
  readonly context: SandboxContext;
  readonly accounts: MicrosoftAccount[];
  readonly keys = new SigningKeys();
  readonly tokens: SignedTokens;
  readonly interactions = new ExpiringMap<MicrosoftInteraction>(30 * 60_000);
  readonly codes = new ExpiringMap<Required<MicrosoftInteraction>>(10 * 60_000);
  /** Accounts that have accepted the permissions of the app. */
  readonly #consented = new Set<string>();
  /** Accounts that have withdrawn them, which ends their refresh tokens. */
  readonly #withdrawn = new Set<string>();
  readonly #initial: readonly MicrosoftAccount[];
  /** Lifetime of an access token, seconds. */
  accessTokenSeconds = ACCESS_SECONDS;

  constructor(context: SandboxContext, accounts: readonly MicrosoftAccount[]) {
    this.context = context;
    this.#initial = accounts;
    this.accounts = accounts.map((account) => ({ ...account }));
    this.tokens = new SignedTokens(context.settings.clients.microsoft.secret);
  }

  get url(): string {
    return `${this.context.settings.base()}/microsoft`;
  }

  /** Returns the issuer that the discovery document of a tenant names; undefined for an unknown tenant. */
  issuerAt(tenant: string): string | undefined {
    if (SHARED.includes(tenant)) return this.issuerOf('{tenantid}');
    if (tenant === 'consumers') return this.issuerOf(CONSUMERS);
    const found = this.accounts.find((account) => [account.tenant, domainOf(account)].includes(tenant));
    return found && this.issuerOf(found.tenant);
  }

  issuerOf(tenant: string): string {
    return `${this.url}/${tenant}/v2.0`;
  }

  bySubject(subject: string): MicrosoftAccount | undefined {
    return this.accounts.find((account) => subjectOf(account) === subject);
  }

  byAddress(address: string): MicrosoftAccount | undefined {
    return this.accounts.find((account) => account.address === address);
  }

  hasConsented(subject: string): boolean {
    return this.#consented.has(subject);
  }

  hasWithdrawn(subject: string): boolean {
    return this.#withdrawn.has(subject);
  }

  consent(subject: string): void {
    this.#consented.add(subject);
    this.#withdrawn.delete(subject);
  }

  /** Withdraws the consent of an account. */
  forget(subject: string): void {
    this.#consented.delete(subject);
    this.#withdrawn.add(subject);
  }

  reset(): void {
    this.tokens.reset();
    this.interactions.clear();
    this.codes.clear();
    this.#consented.clear();
    this.#withdrawn.clear();
    this.accessTokenSeconds = ACCESS_SECONDS;
    this.accounts.splice(0, this.accounts.length, ...this.#initial.map((account) => ({ ...account })));
  }
}
