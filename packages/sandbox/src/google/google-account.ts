/** A Google account of the sandbox. */
export interface GoogleAccount {
  /** Permanent id, the `sub` of its id tokens. */
  subject: string;
  email: string;
  givenName: string;
  familyName: string;
}

/** The accounts that users can select at sign-in. E-mail addresses can change, subjects cannot. */
export class GoogleAccounts {
  readonly #accounts: GoogleAccount[];

  constructor(accounts: readonly GoogleAccount[]) {
    this.#accounts = accounts.map((account) => ({ ...account }));
  }

  all(): readonly GoogleAccount[] {
    return this.#accounts;
  }

  bySubject(subject: string): GoogleAccount | undefined {
    return this.#accounts.find((account) => account.subject === subject);
  }

  byEmail(email: string): GoogleAccount | undefined {
    return this.#accounts.find((account) => account.email === email);
  }
}

/** Returns the display name. */
export function fullName(account: GoogleAccount): string {
  return `${account.givenName} ${account.familyName}`.trim();
}
