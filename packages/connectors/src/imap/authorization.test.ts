import { checkConnectValues } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DOVECOT_MISSING, Dovecot } from '../../test-support/imap/index.ts';
import { ProviderError } from '../sdk/index.ts';
import { ImapAuthorization } from './authorization.ts';

const HOSTS = ['127.0.0.1', 'localhost'];

describe('fields of the IMAP connect form', () => {
  const { fields } = new ImapAuthorization({ hosts: [] }).form;
  const good = { host: ' imap.example.org ', port: '993', security: 'tls', user: 'ada', password: ' x ' };
  const errorsOf = (values: Record<string, string>) =>
    Object.keys(checkConnectValues(fields, { ...good, ...values }).errors);

  it('trims text, keeps the password as typed and drops unknown fields', () => {
    const { values, errors } = checkConnectValues(fields, { ...good, more: 'x' });
    expect(errors).toEqual({});
    expect(values).toEqual({ ...good, host: 'imap.example.org' });
  });

  it.each([
    [{ host: '' }, 'host'],
    [{ host: 'a b' }, 'host'],
    [{ host: 'http://x/' }, 'host'],
    [{ port: '0' }, 'port'],
    [{ port: '65536' }, 'port'],
    [{ port: '99x' }, 'port'],
    [{ security: 'ssl' }, 'security'],
    [{ user: ' ' }, 'user'],
    [{ password: '' }, 'password'],
  ])('refuses %j', (values, field) => expect(errorsOf(values as Record<string, string>)).toEqual([field]));

  it.each(['1', '143', '993', '65535'])('accepts port %s', (port) => expect(errorsOf({ port })).toEqual([]));
});

describe.skipIf(DOVECOT_MISSING)('ImapAuthorization with Dovecot', () => {
  let dovecot: Dovecot;
  beforeAll(async () => {
    dovecot = await Dovecot.start({ ada: 'open sesame' });
  });
  afterAll(() => dovecot?.stop());

  const plain = () => ({
    host: '127.0.0.1',
    port: String(dovecot.ports.plain),
    security: 'none',
    user: 'ada',
    password: 'open sesame',
  });

  async function refusal(
    values: Record<string, string>,
    hosts = HOSTS,
  ): Promise<[string, string | undefined]> {
    const outcome = await new ImapAuthorization({ hosts })
      .connect({ ...plain(), ...values })
      .catch((error: unknown) => error);
    if (!(outcome instanceof ProviderError)) throw new Error(`not refused: ${String(outcome)}`);
    expect(outcome.message).not.toContain('sesame');
    return [outcome.failure, outcome.field];
  }

  it('returns a grant with the typed values and names the account', async () => {
    const { identity, credentials } = await new ImapAuthorization({ hosts: HOSTS }).connect(plain());
    const { password, ...fields } = plain();
    expect(credentials).toEqual({ accessToken: password, fields, scopes: [] });
    expect(identity).toMatchObject({ subject: 'ada 127.0.0.1', account: 'ada@127.0.0.1' });
  });

  it('connects over TLS and STARTTLS if the certificate is trusted for the host', async () => {
    const trusting = new ImapAuthorization({ hosts: HOSTS, ca: dovecot.certificate });
    const secure = { ...plain(), host: 'localhost', security: 'tls', port: String(dovecot.ports.tls) };
    await trusting.connect(secure);
    await trusting.connect({ ...secure, security: 'starttls', port: String(dovecot.ports.plain) });
    await expect(trusting.connect({ ...secure, host: '127.0.0.1' })).rejects.toMatchObject({ field: 'host' });
  });

  it('names the field to correct', async () => {
    const tls = String(dovecot.ports.tls);
    expect(await refusal({ password: 'wrong sesame' })).toEqual(['reauthorise', 'password']);
    expect(await refusal({ user: 'nobody' })).toEqual(['reauthorise', 'password']);
    expect(await refusal({ port: '9' })).toEqual(['unavailable', 'host']);
    expect(await refusal({ security: 'tls', port: tls })).toEqual(['invalid', 'host']);
    expect(await refusal({ security: 'tls' })).toEqual(['invalid', 'security']);
    expect(await refusal({}, [])).toEqual(['forbidden', 'host']);
    expect(await refusal({ host: 'localhost' }, ['*'])).toEqual(['forbidden', 'host']);
    expect(await refusal({ host: '1.1.1.1' }, ['*'])).toEqual(['invalid', 'security']);
  });

  it('never sends the password to a server with an untrusted certificate', async () => {
    const before = dovecot.log.length;
    await refusal({ host: 'localhost', security: 'starttls' });
    await refusal({ host: 'localhost', security: 'tls', port: String(dovecot.ports.tls) });
    expect(dovecot.log.slice(before)).toMatch(/no auth attempts/);
    expect(dovecot.log.slice(before)).not.toMatch(/Login: user=/);
  });
});
