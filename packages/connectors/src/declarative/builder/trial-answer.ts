import type { ConnectorDocument } from '@datadeck/contract/connector-document';
import { ProviderError, sendHttp, urlOf } from '../../sdk/index.ts';
import { exposedHeaders } from '../page-source.ts';
import { sentBodyOf, type WireRequest } from '../wire-request.ts';
import type { RequestTime } from './request-time.ts';
import type { Access } from './trial-values.ts';

/** Largest answer of a trial, bytes. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/** What came back. */
export interface TrialAnswer {
  status: number;
  /** By names in small letters; without cookies. */
  headers: Record<string, string>;
  /** Undefined where the body is too large, or broke off. */
  bytes: Buffer | undefined;
  milliseconds: number;
  /** Address without the secret. */
  answered: string;
  /** Why the body could not be read. */
  bodyProblem?: string;
}

/** How a trial sends its requests. */
export interface TrialConnection {
  document: ConnectorDocument;
  access: Access;
  hosts: readonly string[] | undefined;
  time: RequestTime;
}

/** Thrown when no answer came; the message is a sentence without secrets. `isRequest`: the request is to be corrected, not the address. */
export class NoAnswerError extends Error {
  readonly isRequest: boolean;

  constructor(message: string, isRequest: boolean) {
    super(message);
    this.isRequest = isRequest;
  }
}

/** Returns a sentence for an error of the connection, whose own message may name what was sent. */
function reasonOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'The service did not answer completely within 10 s.';
  if (error instanceof ProviderError) return error.message;
  const { name, code } = error as { name?: string; code?: unknown };
  if (name === 'TimeoutError' || name === 'AbortError') return 'The service did not answer within 10 s.';
  const known = typeof code === 'string' && /^[A-Z_0-9]{3,60}$/.test(code) ? ` (${code})` : '';
  return `The service could not be reached${known}. Check the address.`;
}

/**
 * Sends one request of a trial and reads at most 1 MB. Follows redirects within the host.
 * @throws NoAnswerError
 */
export function requestTrialAnswer(connection: TrialConnection, request: WireRequest): Promise<TrialAnswer> {
  return connection.time.run((signal) => send(connection, request, signal));
}

async function send(
  { document, access, hosts }: TrialConnection,
  request: WireRequest,
  signal: AbortSignal,
): Promise<TrialAnswer> {
  const begun = performance.now();
  const sent = sentBodyOf(request);
  try {
    const response = await sendHttp({
      url: urlOf(request, access.apiUrl),
      secretQuery: access.query,
      hosts,
      maxBytes: MAX_ANSWER_BYTES,
      isRaw: true,
      json: sent?.text,
      method: sent?.method,
      headers: {
        accept: '*/*',
        'user-agent': 'Datadeck (gzip)',
        ...sent?.headers,
        ...request.headers,
        ...access.headers,
      },
      signal,
      idleTimeoutMs: 10_000,
      title: document.title,
      onRequest: () => undefined,
    });
    let bodyProblem: string | undefined;
    const bytes = await response.bytes.catch((error: unknown) => {
      bodyProblem = reasonOf(error, signal);
      return undefined;
    });
    return {
      status: response.status,
      headers: exposedHeaders(response.headers),
      bytes,
      milliseconds: Math.round(performance.now() - begun),
      answered: response.url.href,
      ...(bodyProblem !== undefined && { bodyProblem }),
    };
  } catch (error) {
    const isRequest = error instanceof ProviderError && error.failure === 'malformed';
    throw new NoAnswerError(reasonOf(error, signal), isRequest);
  }
}
