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

/** Returns server and token. @throws StartError without a token, or for a malformed address */
export function remoteServer({ url }: RemoteOptions): RemoteServer {
  const address = url ?? (process.env.DATADECK_URL?.trim() || HERE);
  if (!URL.canParse(address) || !/^https?:/.test(address))
    throw new StartError(`'${address}' is not the address of a server. Example: https://data.example.org`);
  const token = process.env.DATADECK_TOKEN?.trim() ?? '';
  if (token === '')
    throw new StartError(
      "Set DATADECK_TOKEN to an API token. Create one on the Account screen, or by 'datadeck token create'.",
    );
  return { url: new URL(address).origin, token };
}

/** Returns the sentence of an error answer, or its status when it has none. */
function sentenceOf(status: number, text: string): string {
  try {
    const { message, fields = {} } = JSON.parse(text).error;
    const details = Object.entries(fields).map(([name, problem]) => ` ${name}: ${problem}.`);
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
    const cause = error.cause instanceof Error ? error.cause.message : error.message;
    throw new StartError(`${url} cannot be reached: ${cause}`);
  });
  if (!response.ok) throw new StartError(sentenceOf(response.status, await response.text()));
  return response;
}

/** Calls the API and returns the parsed answer. @throws StartError like `callServer` */
export async function readServer<T>(
  options: RemoteOptions,
  path: string,
  request?: { method?: string; body?: unknown },
): Promise<T> {
  return (await callServer(options, path, request)).json() as Promise<T>;
}

/** Adds the values that are set to a path. */
export function withQuery(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const set = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return set.length === 0 ? path : `${path}?${new URLSearchParams(set)}`;
}
