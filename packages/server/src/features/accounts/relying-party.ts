import { isIP } from 'node:net';
import { AppError } from '../../platform/app-error.ts';

/** The server as passkeys know it. */
export interface RelyingParty {
  /** RP id: the host of PUBLIC_URL, e.g. `data.example.org`. A passkey works for no other. */
  id: string;
  /** Origin of PUBLIC_URL, e.g. `https://data.example.org`. */
  origin: string;
  /** Why browsers offer no passkeys for this origin, as a sentence. */
  problem?: string;
}

/** Returns why browsers offer no passkeys at an address; undefined when they do. */
function problemOf({ protocol, hostname, origin, port }: URL): string | undefined {
  const address = hostname.replace(/^\[|\]$/g, '');
  if (isIP(address) !== 0) {
    const reason = `Passkeys need a host name, and this server has the address ${origin}.`;
    if (address !== '::1' && !address.startsWith('127.'))
      return `${reason} The administrator can set PUBLIC_URL to an https address with a host name.`;
    const local = `http://localhost${port === '' ? '' : `:${port}`}`;
    return `${reason} Start it with PUBLIC_URL=${local}, and open ${local}.`;
  }
  if (protocol === 'https:' || hostname === 'localhost') return undefined;
  return `Passkeys need https, and this server has the address ${origin}. The administrator can put it behind https and set PUBLIC_URL.`;
}

/** Returns the relying party of a public URL, with the reason if it cannot have passkeys. */
export function relyingPartyOf(publicUrl: string): RelyingParty {
  const url = new URL(publicUrl);
  const problem = problemOf(url);
  return { id: url.hostname, origin: url.origin, ...(problem !== undefined && { problem }) };
}

/** @throws AppError passkeys-unavailable */
export function requirePasskeys({ problem }: RelyingParty): void {
  if (problem !== undefined) throw new AppError('passkeys-unavailable', problem);
}
