import { type MicrosoftRefusal, type MicrosoftService, subjectOf } from '@datadeck/sandbox/parts';
import type { MicrosoftRefusals } from '../microsoft/microsoft-refusals.ts';

/** Actions on the identity platform of Microsoft. */
export interface MicrosoftControl {
  /** Expires all access tokens issued so far. */
  expireAccessTokens(): void;
  /** Sets the lifetime of new access tokens, seconds. */
  setAccessTokenLifetime(seconds: number): void;
  /** Withdraws the consent of an account: its access tokens end, and renewals are refused (AADSTS65001). */
  withdrawConsent(address: string): void;
  /** Changes the address of an account; its ids stay the same. */
  changeAddress(from: string, to: string): void;
  /** Refuses each authorisation or token request; undefined refuses none. */
  refuse(at: 'authorize' | 'token', refusal: MicrosoftRefusal | undefined): void;
  /** Switches IMAP off or on for the mailbox of an account: its mail server then refuses valid tokens. */
  switchImap(address: string, isOn: boolean): void;
  /** Returns all tokens and codes that were issued since the start or the last reset. */
  issued(): string[];
}

/** Creates the control of the identity platform. */
export function microsoftControl(microsoft: MicrosoftService, refusals: MicrosoftRefusals): MicrosoftControl {
  const accountAt = (address: string) => {
    const account = microsoft.byAddress(address);
    if (!account) throw new RangeError(`No Microsoft account has the address ${address}`);
    return account;
  };
  return {
    expireAccessTokens: () => microsoft.tokens.expireAccessTokens(),
    setAccessTokenLifetime(seconds) {
      microsoft.accessTokenSeconds = seconds;
    },
    withdrawConsent(address) {
      microsoft.forget(subjectOf(accountAt(address)));
      microsoft.tokens.expireAccessTokens();
    },
    changeAddress(from, to) {
      accountAt(from).address = to;
    },
    refuse(at, refusal) {
      refusals[at] = refusal;
    },
    switchImap(address, isOn) {
      if (isOn) refusals.withoutImap.delete(accountAt(address).address);
      else refusals.withoutImap.add(accountAt(address).address);
    },
    issued: () => [...refusals.issued],
  };
}
