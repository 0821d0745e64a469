import type { ConnectField, ConnectForm } from '@datadeck/contract';
import type {
  ConnectorDocument,
  DocumentConnectField,
  DocumentField,
} from '@datadeck/contract/connector-document';
import { type Credentials, type FormAuthorization, type Grant, ProviderError } from '../sdk/index.ts';
import {
  accessOf,
  addressFieldOf,
  BOUND_ADDRESS,
  baseAddressOf,
  boundTo,
  DNS_LABEL,
  enteredPartOf,
} from './access.ts';
import { type EnteredSecret, type ExchangedToken, exchangeSecret } from './exchange-secret.ts';
import { formValuesOf } from './form-values.ts';
import { type IdentifyOptions, identify } from './identify.ts';

/** Button texts by the type of the secret. */
const ACTIONS = {
  token: { action: 'Use a token', replaceAction: 'Replace token' },
  password: { action: 'Enter user and password', replaceAction: 'Change user or password' },
  client: { action: 'Enter client id and secret', replaceAction: 'Replace client' },
  none: { action: 'Connect', replaceAction: 'Change connection' },
};

/** Returns what a person enters. */
function enteredBy({ authentication }: ConnectorDocument): keyof typeof ACTIONS {
  const { kind } = authentication;
  if (kind === 'none' || kind === 'oauth-code') return 'none';
  if (kind === 'client-credentials') return 'client';
  // Of Basic without a user, the secret is a key.
  const hasUser = kind === 'session-token' || (kind === 'basic' && authentication.user !== undefined);
  return hasUser ? 'password' : 'token';
}

/** Help below a secret that has none of its own. */
const SECRET_TIP = 'Stored encrypted, and used only to read.';

function fieldOf({ hidden = false, ...field }: DocumentConnectField): ConnectField {
  const errorText = field.errorText || 'Please enter a valid value';
  const shown = { ...field, options: [], errorText };
  return hidden ? { ...shown, type: 'token', tip: field.tip || SECRET_TIP } : { ...shown, type: 'text' };
}

/** Returns the field of the base address; without a pattern of its own, it accepts one label of a host name. */
function addressField(field: DocumentField, part: string): ConnectField {
  const errorText = field.errorText || `Please enter ${part}`;
  return fieldOf({ ...field, pattern: field.pattern || DNS_LABEL, errorText });
}

function formFor(document: ConnectorDocument): ConnectForm {
  const { title, connect } = document;
  const { intro, links, secret } = connect;
  const entered = enteredBy(document);
  const type = entered === 'client' ? 'token' : entered;
  const byAddress = addressFieldOf(document);
  const part = enteredPartOf(document);
  const fields = connect.fields.map((field) =>
    field.name === byAddress && part !== undefined ? addressField(field, part) : fieldOf(field),
  );
  const text = `Datadeck deleted its copy of the token. ${title} accepts the token until you delete it there.`;
  const [link] = links;
  if (secret && type !== 'none') fields.push({ ...fieldOf(secret), type, tip: secret.tip || SECRET_TIP });
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
    const { fields, secrets } = formValuesOf(this.#document, values);
    const secret = authentication.kind === 'none' ? undefined : connect.secret?.name;
    const entered = secret === undefined ? '' : (values[secret] ?? '');
    const token = await this.#exchange({ secret: entered, fields, secrets }).catch((error: unknown) => {
      const isRefused = error instanceof ProviderError && error.failure === 'reauthorise';
      throw isRefused && secret !== undefined
        ? new ProviderError('reauthorise', error.message, { field: secret })
        : error;
    });
    const accessToken = token?.accessToken ?? entered;
    const account = await identify(this.#document, this.#options, {
      ...{ accessToken, fields, secrets },
      ...(token && { refreshToken: entered, ...token }),
    });
    const issuer = baseAddressOf(this.#document, fields, this.#options);
    const bound = { [BOUND_ADDRESS]: boundTo(this.#document, issuer) };
    return {
      identity: { issuer, ...account, email: '', name: '' },
      credentials: {
        accessToken,
        // What renews the token, is kept where other providers have theirs for that.
        ...(token && { refreshToken: entered, ...token }),
        fields: secret === undefined ? fields : { ...fields, ...bound },
        ...(Object.keys(secrets).length > 0 && { secrets }),
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
    const { refreshToken: secret, fields = {}, secrets = {} } = credentials;
    // Throws for a version of the document that sends the secret elsewhere.
    accessOf(this.#document, this.#options)(credentials);
    const token = secret === undefined ? undefined : await this.#exchange({ secret, fields, secrets });
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
