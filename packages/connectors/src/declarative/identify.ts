import { createHash } from 'node:crypto';
import type { ConnectorDocument } from '@datadeck/contract/connector-document';
import {
  type Credentials,
  displayText,
  hostNameOf,
  type Identity,
  ProviderError,
  type RawResponse,
  repeatsSecret,
  resolveHost,
  secretsIn,
  sendHttp,
  transferable,
  urlOf,
} from '../sdk/index.ts';
import { type AccessOptions, accessOf, addressFieldOf, baseAddressOf, enteredAddressOf } from './access.ts';
import { isAccountId } from './account-id.ts';
import { classifierOf } from './classify.ts';
import type { Answer, DocumentAnswers, Variables } from './document-task.ts';
import type { FormValues } from './form-values.ts';
import { exposedHeaders } from './page-source.ts';
import { sentBodyOf, type WireRequest } from './wire-request.ts';

/** Longest time that a person waits for the result of the form, ms. */
const TIMEOUT_MS = 15_000;
/** Largest answer to the request that identifies an account. */
const MAX_ANSWER_BYTES = 1024 * 1024;
/** Longest id of an account, characters; the same as that of OpenID Connect. */
const MAX_SUBJECT = 255;

/** Evaluates the expressions of a document's `identity`. */
export interface IdentityReader {
  request(variables: Variables): Promise<WireRequest>;
  read(answer: Answer, variables: Variables): Promise<DocumentAnswers['identity']>;
}

/** Options of `identify`. */
export interface IdentifyOptions extends AccessOptions {
  /** Hosts that may be called; see `resolveHost`. Default: all. */
  hosts?: readonly string[] | undefined;
  /** Absent for a document without `identity`. */
  identity?: IdentityReader | undefined;
}

type Entered = Pick<Credentials, 'accessToken' | 'refreshToken' | 'secrets'> & Pick<FormValues, 'fields'>;
type Account = Pick<Identity, 'subject' | 'account'>;

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Returns the field of the form to correct after a failure; undefined if none can help. */
function fieldToCorrect(document: ConnectorDocument, { failure, field }: ProviderError): string | undefined {
  const { secret, fields } = document.connect;
  const known = [...fields, ...(secret ? [secret] : [])].map(({ name }) => name);
  if (field !== undefined && known.includes(field)) return field;
  const address = addressFieldOf(document);
  if (failure === 'rate-limited') return undefined;
  // The administrator, not the person, chose the host of a base address without a hole.
  if (failure === 'unavailable') return address;
  const isRefused = field === undefined && (failure === 'reauthorise' || failure === 'forbidden');
  return (isRefused && secret?.name) || address || known.at(-1);
}

/** Asks a provider whose access was entered, for one document. */
class Identification {
  readonly #document: ConnectorDocument;
  readonly #options: IdentifyOptions;

  constructor(document: ConnectorDocument, options: IdentifyOptions) {
    this.#document = document;
    this.#options = options;
  }

  /** Identifies an account by the address and the values of the form, but its secrets. @throws ProviderError */
  async byValues({ fields }: Entered): Promise<Account> {
    const { hosts } = this.#options;
    const base = baseAddressOf(this.#document, fields, this.#options);
    const url = urlOf({ path: '/' }, base);
    if (hosts) await resolveHost(hostNameOf(url), hosts);
    const byAddress = addressFieldOf(this.#document);
    const entered = enteredAddressOf(this.#document, fields);
    const values = Object.entries(fields)
      .filter(([name, value]) => name !== byAddress && value !== '')
      .sort(([a], [b]) => (a < b ? -1 : 1));
    const subject = hashOf(JSON.stringify([entered?.href ?? base, values]));
    // The query of an address may be private.
    const address = entered ? entered.host + entered.pathname.replace(/\/$/, '') : url.host;
    return { subject, account: displayText([...values.map(([, value]) => value), address].join(' ')) };
  }

  /** Identifies an account by the document's request. @throws ProviderError */
  async byRequest(reader: IdentityReader, entered: Entered): Promise<Account> {
    const variables = { config: entered.fields, settings: {}, now: new Date().toISOString() };
    const { headers, bytes } = await this.#send(await reader.request(variables), entered);
    const answer = { bytes: transferable(bytes), headers: exposedHeaders(headers) };
    const read = await reader.read(answer, variables).catch((error: unknown) => {
      throw error instanceof ProviderError ? error : this.#unidentified();
    });
    if ('failedBody' in read) throw this.#refusal({ status: 200, headers }, read.failedBody);
    const { subject } = read;
    const account = displayText(read.account) || displayText(subject);
    const isEcho = secretsIn(entered).some((secret) => repeatsSecret(`${subject}\n${account}`, secret));
    if (!isAccountId(subject) || isEcho) throw this.#unidentified();
    return { subject: subject.length > MAX_SUBJECT ? hashOf(subject) : subject, account };
  }

  /** Sends a request once. @throws ProviderError */
  async #send(request: WireRequest, entered: Entered): Promise<{ headers: Headers; bytes: Buffer }> {
    const { apiUrl, ...access } = accessOf(this.#document, this.#options)(entered);
    const url = urlOf(request, apiUrl);
    const sent = sentBodyOf(request);
    const answer = await this.#reached(() =>
      sendHttp({
        isRaw: true,
        url,
        secretQuery: access.query,
        hosts: this.#options.hosts,
        maxBytes: MAX_ANSWER_BYTES,
        json: sent?.text,
        method: sent?.method,
        headers: {
          accept: '*/*',
          'user-agent': 'Datadeck (gzip)',
          ...sent?.headers,
          ...request.headers,
          ...access.headers,
        },
        signal: AbortSignal.timeout(TIMEOUT_MS),
        idleTimeoutMs: TIMEOUT_MS,
        title: this.#document.title,
        onRequest: () => undefined,
      }),
    );
    if (answer.status < 300)
      return { headers: answer.headers, bytes: await this.#reached(() => answer.bytes) };
    const text = await answer.bytes.catch(() => Buffer.alloc(0));
    throw this.#refusal(answer, text.toString());
  }

  /** @throws ProviderError `unavailable` for errors of the connection; they may name what was sent */
  async #reached<T>(step: () => Promise<T>): Promise<T> {
    try {
      return await step();
    } catch (error) {
      if (error instanceof ProviderError) throw error;
      const { title } = this.#document;
      throw new ProviderError('unavailable', `${title} could not be reached. Try again later.`);
    }
  }

  #refusal({ status, headers }: Pick<RawResponse, 'status' | 'headers'>, body: string): ProviderError {
    const { title, connect, failures } = this.#document;
    // An account is no list, so the status decides.
    const rules = failures.filter(({ means }) => means !== 'no-records');
    const failed = classifierOf({ ...this.#document, failures: rules })({
      status,
      headers,
      body,
      now: Date.now(),
    });
    switch (failed.kind) {
      case 'expired-token': {
        const label = connect.secret?.label ?? 'values';
        return new ProviderError(
          'reauthorise',
          `${title} does not accept this. Check that you copied all of “${label}”, and that it has not expired.`,
        );
      }
      case 'retry-later':
        return new ProviderError('rate-limited', failed.message, {
          ...(failed.until && { until: failed.until }),
        });
      case 'retry':
        return new ProviderError('unavailable', failed.message);
      case 'fail':
        return new ProviderError(failed.failure, failed.message);
    }
  }

  #unidentified(): ProviderError {
    return new ProviderError('malformed', `${this.#document.title} did not say who connected.`);
  }
}

/**
 * Identifies the account of entered values: by the document's request, or by the values without secrets.
 * @throws ProviderError, with `field` set to the field to correct; without its cause, which may contain the secret
 */
export async function identify(
  document: ConnectorDocument,
  options: IdentifyOptions,
  entered: Entered,
): Promise<Account> {
  const identification = new Identification(document, options);
  try {
    const { identity } = options;
    return await (identity ? identification.byRequest(identity, entered) : identification.byValues(entered));
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const field = fieldToCorrect(document, error);
    const { failure, message, until } = error;
    throw new ProviderError(failure, message, {
      ...(until && { until }),
      ...(field !== undefined && { field }),
    });
  }
}
