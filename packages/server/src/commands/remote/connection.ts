import type { Command } from 'commander';
import { StartError } from '../../platform/start-error.ts';

const HERE = 'http://127.0.0.1:3000';

/** The server that a command talks to, and the API token for it. */
export interface RemoteServer {
  url: string;
  token: string;
}

/** Adds the option that names the server. The token is never an option, because other users of a machine see options. */
export function withServer(command: Command): Command {
  return command.option('--url <url>', `the server, by default DATADECK_URL or ${HERE}`);
}

/** Returns server and token. @throws StartError without a token, or for a malformed address */
export function remoteServer({ url }: { url?: string }): RemoteServer {
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
