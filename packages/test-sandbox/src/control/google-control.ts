import type { GoogleService } from '@datadeck/sandbox/parts';

/** Actions on the OpenID provider. */
export interface GoogleControl {
  /** Replaces the signing key; the previous one stays published. */
  rotateKeys(): Promise<void>;
  /** Expires all access tokens issued so far. */
  expireAccessTokens(): void;
  /** Sets the lifetime of new access tokens, seconds. */
  setAccessTokenLifetime(seconds: number): void;
  /** Sets whether each refresh returns a new refresh token and revokes the old one. */
  setRefreshTokenRotation(isOn: boolean): void;
  /** Revokes the grant of a token, like the provider's account page. Returns false for an invalid token. */
  revoke(token: string): boolean;
  /** Changes the e-mail address of an account; its subject stays the same. */
  changeEmail(from: string, to: string): void;
}

/** Creates the control of the OpenID provider. */
export function googleControl(google: GoogleService): GoogleControl {
  return {
    rotateKeys: () => google.keys.rotate(),
    expireAccessTokens: () => google.tokens.expireAccessTokens(),
    setAccessTokenLifetime(seconds) {
      google.accessTokenSeconds = seconds;
    },
    setRefreshTokenRotation(isOn) {
      google.rotatesRefreshTokens = isOn;
    },
    revoke: (token) => google.tokens.revoke(token),
    changeEmail(from, to) {
      const account = google.accounts.byEmail(from);
      if (!account) throw new RangeError(`No Google account has the address ${from}`);
      account.email = to;
    },
  };
}
