import type { Command } from 'commander';
import { StartError } from '../../platform/start-error.ts';
import { terminalText } from '../terminal-text.ts';

const HERE = 'http://127.0.0.1:3000';

/** Options of each command that talks to a server. */
export interface RemoteOptions {
  url?: string;
}

/** The server that a command talks to, and the API token for it. */
interface RemoteServer {
  /** Origin, e.g. `https://data.example.org`. */
  url: string;
  token: string;
}

/** Adds the option that names the server. The token is never an option, because other users of a machine see options. */
export function withServer(command: Command): Command {
  return command.option('--url <url>', `the server, by default DATADECK_URL or ${HERE}`);
}

/** Returns server and token. @throws StartError without a token, or for a malformed address or token */
export function remoteServer({ url }: RemoteOptions): RemoteServer {
  const address = url ?? (process.env.DATADECK_URL?.trim() || HERE);
  if (!URL.canParse(address) || !/^https?:/.test(address))
    throw new StartError(`'${address}' is not the address of a server. Example: https://data.example.org`);
  const token = process.env.DATADECK_TOKEN?.trim() ?? '';
  if (token === '')
    throw new StartError(
      "Set DATADECK_TOKEN to an API token. Create one on the Account screen, or by 'datadeck token create'.",
    );
  // An error about the header would print the token.
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new StartError(
      'DATADECK_TOKEN is no API token: it has spaces, line breaks or signs that no token has.',
    );
  return { url: new URL(address).origin, token };
}

/** Returns the sentence of an error answer, or its status when it has none. */
function sentenceOf(status: number, text: string): string {
  try {
    const { message, fields = {} } = JSON.parse(text).error;
    if (typeof message !== 'string') throw new TypeError('no sentence');
    const details = Object.entries(fields)
      .filter(([, problem]) => problem !== message)
      .map(([name, problem]) => ` ${name}: ${String(problem).replace(/\.$/, '')}.`);
    return terminalText(`${message}${details.join('')}`);
  } catch {
    return `The server answered with status ${status}.`;
  }
}

/** Calls the API. @throws StartError with the sentence of an error answer, or when the server cannot be reached */
export async function callServer(
  options: RemoteOptions,
  path: string,
  { method = 'GET', body, signal }: { method?: string; body?: unknown; signal?: AbortSignal } = {},
): Promise<Response> {
  const { url, token } = remoteServer(options);
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch((error: Error) => {
    const { message, reason }: { message: string; reason?: string } =
      error.cause instanceof Error ? error.cause : error;
    // OpenSSL's messages name its source files.
    throw new StartError(`${url} cannot be reached: ${terminalText(reason ?? message)}`);
  });
  if (!response.ok) throw new StartError(sentenceOf(response.status, await response.text()));
  return response;
}

/** Calls the API and returns the parsed answer. @throws StartError like `callServer`, and for an answer that is not JSON */
export async function readServer<T>(
  options: RemoteOptions,
  path: string,
  request?: { method?: string; body?: unknown },
): Promise<T> {
  const response = await callServer(options, path, request);
  try {
    return (await response.json()) as T;
  } catch {
    throw new StartError(
      `${new URL(response.url).origin} is no Datadeck, or another server answers in its place: the answer is not JSON.`,
    );
  }
}

/** Adds the values that are set to a path. */
export function withQuery(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const set = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return set.length === 0 ? path : `${path}?${new URLSearchParams(set)}`;
}
