import type { GoogleService } from '../google/google-service.ts';

/** What can be done to the OpenID provider. */
export interface GoogleControl {
  /** Replaces the signing key; the one before stays published. */
  rotateKeys(): Promise<void>;
  /** Every access token handed out so far counts as expired. */
  expireAccessTokens(): void;
  /** How long access tokens live from now on, in seconds. */
  setAccessTokenLifetime(seconds: number): void;
  /** Whether every refresh answers a new refresh token and ends the old one. */
  setRefreshTokenRotation(isOn: boolean): void;
  /** Ends the grant of a token, as the account page of the provider does. False when the token is not good. */
  revoke(token: string): boolean;
  /** Gives an account another e-mail address; its subject stays. */
  changeEmail(from: string, to: string): void;
}

/** The control of the OpenID provider. */
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
