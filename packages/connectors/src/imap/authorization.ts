import type { ConnectField, ConnectForm } from '@datadeck/contract';
import { type FormAuthorization, type Grant, ProviderError } from '../sdk/index.ts';
import { type Account, parseAccount } from './account.ts';
import { interpretError, MESSAGES } from './classify.ts';
import { presetsFor } from './presets.ts';
import { ImapConnection, type SessionOptions } from './session.ts';

/** Longest time the user waits for the result of the connect form, ms. */
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

function formFor(hosts: readonly string[]): ConnectForm {
  return {
    action: 'Enter server and password',
    replaceAction: 'Change server or password',
    intro: [],
    links: [],
    presetLabel: 'Mail provider',
    presets: presetsFor(hosts),
    fields: [...FIELDS],
    leftBehind: null,
  };
}

/** Converts a failed sign-in to an error that names the form field to correct. */
function signInFailure(error: unknown, { host, port }: Account): ProviderError {
  if (error instanceof ProviderError) return error;
  const { kind } = interpretError(error);
  const because = (field: string) => ({ field, cause: error });
  switch (kind) {
    case 'password':
      return new ProviderError('reauthorise', MESSAGES.password, because('password'));
    case 'certificate':
      return new ProviderError('invalid', MESSAGES.certificate, because('host'));
    case 'security':
      return new ProviderError('invalid', MESSAGES.security, because('security'));
    case 'busy':
    case 'temporary':
      return new ProviderError('unavailable', MESSAGES[kind], { cause: error });
    default:
      return new ProviderError(
        'unavailable',
        `No mail server answers at ${host}, port ${port}.`,
        because('host'),
      );
  }
}

/** Connects a mailbox by server, user name and password. There are no tokens to refresh or revoke. */
export class ImapAuthorization implements FormAuthorization {
  readonly form: ConnectForm;
  readonly #options: SessionOptions;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.form = formFor(options.hosts);
  }

  async connect({ password = '', ...values }: Readonly<Record<string, string>>): Promise<Grant> {
    const account = parseAccount({ ...values, host: (values.host ?? '').toLowerCase() });
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
    throw new ProviderError('reauthorise', `${MESSAGES.password} Connect it again.`);
  }

  async revoke(): Promise<void> {
    // Only the owner can change a password.
  }
}
