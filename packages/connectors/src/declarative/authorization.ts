import type { ConnectField, ConnectForm } from '@datadeck/contract';
import type { ConnectorDocument, DocumentField } from '@datadeck/contract/connector-document';
import { type Credentials, type FormAuthorization, type Grant, ProviderError } from '../sdk/index.ts';
import {
  accessOf,
  addressFieldOf,
  addressSuffixOf,
  BOUND_ADDRESS,
  baseAddressOf,
  boundTo,
  DNS_LABEL,
} from './access.ts';
import { type EnteredSecret, type ExchangedToken, exchangeSecret } from './exchange-secret.ts';
import { type IdentifyOptions, identify } from './identify.ts';

/** Button texts by the type of the secret. */
const ACTIONS = {
  token: { action: 'Use a token', replaceAction: 'Replace token' },
  password: { action: 'Enter user and password', replaceAction: 'Change user or password' },
  client: { action: 'Enter client id and secret', replaceAction: 'Replace client' },
  none: { action: 'Connect', replaceAction: 'Change connection' },
};

/** Returns what a person enters. */
function enteredBy({ authentication: { kind } }: ConnectorDocument): keyof typeof ACTIONS {
  if (kind === 'none' || kind === 'oauth-code') return 'none';
  if (kind === 'client-credentials') return 'client';
  return kind === 'basic' || kind === 'session-token' ? 'password' : 'token';
}

function fieldOf(field: DocumentField): ConnectField {
  const errorText = field.errorText || 'Please enter a valid value';
  return { ...field, type: 'text', options: [], errorText };
}

/** Returns the field of the base address; without a pattern of its own, it accepts one label of a host name. */
function addressField(field: DocumentField, suffix: string): ConnectField {
  const errorText = field.errorText || `Please enter the part before ${suffix}`;
  return fieldOf({ ...field, pattern: field.pattern || DNS_LABEL, errorText });
}

function formFor(document: ConnectorDocument): ConnectForm {
  const { title, connect } = document;
  const { intro, links, secret } = connect;
  const entered = enteredBy(document);
  const type = entered === 'client' ? 'token' : entered;
  const byAddress = addressFieldOf(document);
  const suffix = addressSuffixOf(document);
  const fields = connect.fields.map((field) =>
    field.name === byAddress && suffix !== '' ? addressField(field, suffix) : fieldOf(field),
  );
  const text = `Datadeck deleted its copy of the token. ${title} accepts the token until you delete it there.`;
  const [link] = links;
  if (secret && type !== 'none')
    fields.push({ ...fieldOf(secret), type, tip: secret.tip || 'Stored encrypted, and used only to read.' });
  return {
    ...ACTIONS[entered],
    intro,
    links,
    presetLabel: '',
    presets: [],
    fields,
    leftBehind: type === 'token' && link ? { text, link } : null,
  };
}

/** Connects accounts by the form of a document. There are no tokens to revoke. */
class DocumentAuthorization implements FormAuthorization {
  readonly form: ConnectForm;
  readonly #document: ConnectorDocument;
  readonly #options: IdentifyOptions;

  constructor(document: ConnectorDocument, options: IdentifyOptions) {
    this.#document = document;
    this.#options = options;
    this.form = formFor(document);
  }

  async connect(values: Readonly<Record<string, string>>): Promise<Grant> {
    const { connect, authentication } = this.#document;
    const fields = Object.fromEntries(connect.fields.map(({ name }) => [name, values[name] ?? '']));
    const secret = authentication.kind === 'none' ? undefined : connect.secret?.name;
    const entered = secret === undefined ? '' : (values[secret] ?? '');
    const token = await this.#exchange({ secret: entered, fields }).catch((error: unknown) => {
      const isRefused = error instanceof ProviderError && error.failure === 'reauthorise';
      throw isRefused && secret !== undefined
        ? new ProviderError('reauthorise', error.message, { field: secret })
        : error;
    });
    const accessToken = token?.accessToken ?? entered;
    const account = await identify(this.#document, this.#options, { accessToken, fields });
    const issuer = baseAddressOf(this.#document, fields, this.#options);
    const bound = { [BOUND_ADDRESS]: boundTo(this.#document, issuer) };
    return {
      identity: { issuer, ...account, email: '', name: '' },
      credentials: {
        accessToken,
        // What renews the token, is kept where other providers have theirs for that.
        ...(token && { ...token, refreshToken: entered }),
        fields: secret === undefined ? fields : { ...fields, ...bound },
        scopes: [],
      },
    };
  }

  /** Returns the token that the secret yields; undefined where the secret itself is sent. @throws ProviderError */
  #exchange(entered: EnteredSecret): Promise<ExchangedToken | undefined> {
    return exchangeSecret(this.#document, this.#options, entered);
  }

  /** Signs in again with the stored secret. @throws ProviderError `reauthorise` where there is nothing to renew */
  async refresh(credentials: Credentials): Promise<Credentials> {
    const { refreshToken: secret, fields = {} } = credentials;
    // Throws for a version of the document that sends the secret elsewhere.
    accessOf(this.#document, this.#options)(credentials);
    const token = secret === undefined ? undefined : await this.#exchange({ secret, fields });
    if (token) return { ...credentials, ...token };
    throw new ProviderError(
      'reauthorise',
      `${this.#document.title} no longer accepts the access that was given. Connect it again.`,
    );
  }

  async revoke(): Promise<void> {
    // Only its owner can delete a token or change a password, at the provider.
  }
}

/** Returns the connect form of a document, and what signs in with its values. */
export function documentAuthorization(
  document: ConnectorDocument,
  options: IdentifyOptions = {},
): FormAuthorization {
  return new DocumentAuthorization(document, options);
}
