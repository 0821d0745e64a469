import type { ConnectField } from '@datadeck/contract';
import { type FormAuthorization, type Grant, ProviderError } from '../sdk/index.ts';
import { type Account, accountOf } from './account.ts';
import { meaningOf, SENTENCES } from './classify.ts';
import { ImapConnection, type SessionOptions } from './session.ts';

/** Longest time a person waits for the form's answer, ms. */
const TIMEOUT_MS = 20_000;

const text = {
  type: 'text',
  required: true,
  defaultValue: '',
  pattern: '',
  placeholder: '',
  errorText: '',
  tip: '',
  options: [],
} satisfies Partial<ConnectField>;

const FIELDS: readonly ConnectField[] = [
  {
    ...text,
    name: 'host',
    label: 'Mail server',
    pattern: '[A-Za-z0-9._:\\-]{1,253}',
    placeholder: 'imap.example.org',
    errorText: 'Please enter a valid server name',
  },
  {
    ...text,
    name: 'security',
    label: 'Security',
    type: 'choice',
    defaultValue: 'tls',
    errorText: 'Please choose how the connection is secured',
    options: [
      { value: 'tls', label: 'TLS (usual, port 993)' },
      { value: 'starttls', label: 'STARTTLS (port 143)' },
      { value: 'none', label: 'None (this machine only)' },
    ],
  },
  {
    ...text,
    name: 'port',
    label: 'Port',
    defaultValue: '993',
    pattern: '[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]',
    errorText: 'Please enter a valid port',
  },
  { ...text, name: 'user', label: 'User name', tip: 'Often your whole e-mail address.' },
  {
    ...text,
    name: 'password',
    label: 'Password',
    type: 'password',
    tip: 'Stored encrypted. Where your provider offers app passwords, use one of these.',
  },
];

/** A failed sign-in, with the field to correct. */
function signInFailure(error: unknown, { host, port }: Account): ProviderError {
  if (error instanceof ProviderError) return error;
  const { kind } = meaningOf(error);
  const because = (field: string) => ({ field, cause: error });
  switch (kind) {
    case 'password':
      return new ProviderError('reauthorise', SENTENCES.password, because('password'));
    case 'certificate':
      return new ProviderError('invalid', SENTENCES.certificate, because('host'));
    case 'security':
      return new ProviderError('invalid', SENTENCES.security, because('security'));
    case 'busy':
    case 'temporary':
      return new ProviderError('unavailable', SENTENCES[kind], { cause: error });
    default:
      return new ProviderError(
        'unavailable',
        `No mail server answers at ${host}, port ${port}.`,
        because('host'),
      );
  }
}

/** People connect a mailbox by server, user name and password; there is nothing to renew or to withdraw. */
export class ImapAuthorization implements FormAuthorization {
  readonly fields = FIELDS;
  readonly #options: SessionOptions;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  async connect({ password = '', ...values }: Readonly<Record<string, string>>): Promise<Grant> {
    const account = accountOf({ ...values, host: (values.host ?? '').toLowerCase() });
    const { host, port, security, user } = account;
    const fields = { host, port: String(port), security, user };
    const connection = new ImapConnection(this.#options);
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const credentials = { accessToken: password, fields };
      await connection.open({ credentials, signal, idleTimeoutMs: TIMEOUT_MS });
    } catch (error) {
      throw signInFailure(error, account);
    } finally {
      void connection.close(true);
    }
    return {
      identity: {
        issuer: `imap://${host}`,
        subject: `${user} ${host}`,
        account: user.includes('@') ? user : `${user}@${host}`,
        email: '',
        name: user,
      },
      credentials: {
        accessToken: password,
        fields,
        scopes: [],
      },
    };
  }

  async refresh(): Promise<never> {
    throw new ProviderError('reauthorise', `${SENTENCES.password} Connect it again.`);
  }

  async revoke(): Promise<void> {
    // A password is changed by its owner alone.
  }
}
