import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makePasskey, provePasskey } from './passkey-browser.ts';

const REQUEST = {
  challenge: 'AAAA',
  rpId: 'localhost',
  timeout: 120_000,
  userVerification: 'required',
} as const;
const CREATION = {
  challenge: 'AAAA',
  rp: { id: 'localhost', name: 'Datadeck' },
  user: { id: 'AAAA', name: 'ada', displayName: 'Ada' },
  pubKeyCredParams: [{ alg: -7, type: 'public-key' as const }],
  timeout: 120_000,
  attestation: 'none' as const,
  excludeCredentials: [{ id: 'AAAA', type: 'public-key' as const, transports: ['internal'] }],
  authenticatorSelection: {
    residentKey: 'required' as const,
    requireResidentKey: true as const,
    userVerification: 'required' as const,
  },
};

const create = vi.fn();
const get = vi.fn();

beforeEach(() => {
  vi.stubGlobal('PublicKeyCredential', class {});
  vi.stubGlobal('navigator', { credentials: { create, get }, userAgent: '' });
});
afterEach(() => vi.unstubAllGlobals());

/** Lets the browser answer as with this kind of authenticator and this user agent. */
function answer(authenticatorAttachment: string, userAgent: string): void {
  vi.stubGlobal('navigator', { credentials: { create, get }, userAgent });
  const bytes = new Uint8Array([1, 2, 3]).buffer;
  create.mockResolvedValue({
    id: 'AQID',
    rawId: bytes,
    type: 'public-key',
    authenticatorAttachment,
    getClientExtensionResults: () => ({}),
    response: { clientDataJSON: bytes, attestationObject: bytes, getTransports: () => ['internal'] },
  });
}

describe('makePasskey', () => {
  it.each([
    [
      'platform',
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/148.0 Safari/537.36',
      'Chrome on Linux',
    ],
    [
      'platform',
      'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/148.0 Safari/537.36 Edg/148.0',
      'Edge on Windows',
    ],
    [
      'platform',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Safari/604.1',
      'Safari on iPhone',
    ],
    [
      'platform',
      'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/148.0 Mobile Safari/537.36',
      'Chrome on Android',
    ],
    ['platform', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 15.0; rv:150.0) Firefox/150.0', 'Firefox on Mac'],
    ['platform', '', 'Browser'],
    ['cross-platform', 'Firefox/150.0', 'Phone or security key'],
  ])('names a passkey of %s in %s', async (attachment, agent, name) => {
    answer(attachment, agent);
    expect(await makePasskey(CREATION)).toMatchObject({
      name,
      credential: { id: 'AQID', response: { transports: ['internal'] } },
    });
    const [{ publicKey }] = create.mock.calls.at(-1) ?? [];
    expect(publicKey.authenticatorSelection.userVerification).toBe('required');
  });

  it.each([
    ['NotAllowedError', /closed the browser.s prompt, or it took longer than two minutes/],
    ['InvalidStateError', /has a passkey of your account already/],
    ['ConstraintError', /cannot keep passkeys/],
    ['UnknownError', /could not complete it/],
  ])('explains %s', async (name, sentence) => {
    create.mockRejectedValue(new DOMException('secret details', name));
    await expect(makePasskey(CREATION)).rejects.toThrow(sentence);
  });
});

describe('provePasskey', () => {
  it('names the address at which passkeys work', async () => {
    get.mockClear();
    await expect(provePasskey({ ...REQUEST, rpId: 'data.example.org' })).rejects.toThrow(
      'Passkeys of this server work at data.example.org only. Open Datadeck there.',
    );
    expect(get).not.toHaveBeenCalled();
  });

  it('explains a browser without passkeys', async () => {
    vi.stubGlobal('PublicKeyCredential', undefined);
    await expect(provePasskey(REQUEST)).rejects.toThrow(/This browser has no passkeys/);
  });

  it('explains a closed prompt', async () => {
    get.mockRejectedValue(new DOMException('', 'NotAllowedError'));
    await expect(provePasskey(REQUEST)).rejects.toThrow(/closed the browser.s prompt/);
  });
});
