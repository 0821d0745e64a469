import type {
  NewCredential,
  PasskeyCreationOptions,
  PasskeyProof,
  PasskeyRequestOptions,
} from '@datadeck/contract';
import {
  type PublicKeyCredentialCreationOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';

/** Sentences for the errors of browsers, by their names. Browsers say no more, so that a site learns nothing about its visitors. */
const REASONS: Readonly<Record<string, string>> = {
  NotAllowedError: "You closed the browser's prompt, or it took longer than two minutes. Try again.",
  AbortError: "You closed the browser's prompt. Try again.",
  InvalidStateError: 'This device has a passkey of your account already.',
  ConstraintError:
    'This authenticator cannot keep passkeys, or cannot ask for a fingerprint, face or PIN. Use another one.',
  NotSupportedError: 'This authenticator makes no passkeys that this server understands. Use another one.',
  SecurityError: 'The browser allows no passkeys at this address.',
};

/** Runs a ceremony of the browser. @throws Error with a sentence for the user */
async function ask<Answer>(rpId: string, ceremony: () => Promise<Answer>): Promise<Answer> {
  if (typeof PublicKeyCredential !== 'function')
    throw new Error('This browser has no passkeys, or has them switched off.');
  if (location.hostname !== rpId)
    throw new Error(`Passkeys of this server work at ${rpId} only. Open Datadeck there.`);
  try {
    return await ceremony();
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    throw new Error(REASONS[name] ?? 'The browser could not complete it. Try again.', { cause: error });
  }
}

/** Parts of the user agent by which browsers and systems are recognised, each before those that it also contains. */
const BROWSERS = { Edg: 'Edge', Firefox: 'Firefox', Chrome: 'Chrome', Safari: 'Safari' };
const SYSTEMS = {
  Windows: 'Windows',
  Android: 'Android',
  iPhone: 'iPhone',
  iPad: 'iPad',
  Mac: 'Mac',
  CrOS: 'ChromeOS',
  Linux: 'Linux',
};

/** Returns what a new passkey is called until its owner renames it, e.g. `Firefox on Linux`. */
function nameOf(attachment: string | undefined): string {
  if (attachment !== 'platform') return 'Phone or security key';
  const find = (names: Readonly<Record<string, string>>) =>
    Object.entries(names).find(([part]) => navigator.userAgent.includes(part))?.[1];
  return [find(BROWSERS) ?? 'Browser', find(SYSTEMS)].filter((part) => part !== undefined).join(' on ');
}

/** Lets an authenticator make a passkey. @throws Error with a sentence for the user */
export async function makePasskey(
  options: PasskeyCreationOptions,
): Promise<{ name: string; credential: NewCredential }> {
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON;
  const answer = await ask(options.rp.id, () => startRegistration({ optionsJSON }));
  return { name: nameOf(answer.authenticatorAttachment), credential: answer as NewCredential };
}

/** Lets an authenticator prove a passkey. @throws Error with a sentence for the user */
export async function provePasskey(options: PasskeyRequestOptions): Promise<PasskeyProof> {
  return (await ask(options.rpId, () => startAuthentication({ optionsJSON: options }))) as PasskeyProof;
}
