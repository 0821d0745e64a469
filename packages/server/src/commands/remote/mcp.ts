import { finished } from 'node:stream/promises';
import type { Command } from 'commander';
import { type RemoteOptions, remoteServer, withServer } from './api.ts';

/** Passes the messages of an assistant on standard input to the server, and the answers to standard output. */
async function bridge(options: RemoteOptions): Promise<void> {
  const { url, token } = remoteServer(options);
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js');
  const { StreamableHTTPClientTransport } = await import(
    '@modelcontextprotocol/sdk/client/streamableHttp.js'
  );
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const remote = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit });
  const local = new StdioServerTransport();
  local.onmessage = (message) => {
    remote.send(message).catch((error: Error) => {
      // Standard output is for messages only.
      console.error(error.message);
      if ('id' in message && 'method' in message)
        void local.send({ jsonrpc: '2.0', id: message.id, error: { code: -32_000, message: error.message } });
    });
  };
  remote.onmessage = (message) => {
    const version = 'result' in message ? message.result.protocolVersion : undefined;
    if (typeof version === 'string') remote.setProtocolVersion(version);
    void local.send(message);
  };
  // Input that breaks has ended, too.
  const ended = finished(process.stdin, { writable: false }).catch(() => undefined);
  await remote.start();
  await local.start();
  await ended;
  await remote.close();
}

/** Adds the command that connects an assistant on this machine by standard input and output. */
export function addMcpCommand(program: Command): void {
  withServer(program.command('mcp'))
    .description('connect an assistant (Model Context Protocol on standard input and output) to a server')
    .action(bridge);
}
