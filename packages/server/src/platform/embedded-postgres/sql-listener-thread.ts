/** Script of the thread that listens for SQL roles. */
import { createConnection, createServer, type Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { readGreeting } from './sql-greeting.ts';
import type { SqlListenerTask } from './sql-listener.ts';

/** Open connections; fewer than the database leaves to roles, so that the product always finds a slot. */
const MAX_CONNECTIONS = 40;
/** Requests of encryption that a client may make: one for GSSAPI, one for TLS. */
const MAX_REQUESTS = 2;
/** Time in which a client must say who it is, ms. */
const GREETING_MS = 10_000;

const { host, port, socket, database, refusedUser } = workerData as SqlListenerTask;

/** Sends an error as PostgreSQL does (ErrorResponse), and closes the connection. */
function refuse(client: Socket, message: string): void {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C28000\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  client.end(Buffer.concat([head, fields]));
  client.setTimeout(GREETING_MS, () => client.destroy());
}

/** Connects a client with the database. */
function connect(client: Socket, greeting: Buffer): void {
  const server = createConnection(socket);
  const end = () => {
    client.destroy();
    server.destroy();
  };
  for (const side of [client, server]) side.on('error', end).on('close', end);
  client.setTimeout(0);
  server.write(greeting);
  client.pipe(server).pipe(client);
}

function serve(client: Socket): void {
  client.on('error', () => client.destroy());
  client.setTimeout(GREETING_MS, () => client.destroy());
  // A client that sends one byte at a time has no more time.
  const late = setTimeout(() => client.destroy(), GREETING_MS);
  let received: Buffer = Buffer.alloc(0);
  let requests = 0;
  const read = (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    let greeting = readGreeting(received);
    if (greeting === 'incomplete') return;
    if (greeting === 'encryption' && ++requests > MAX_REQUESTS) greeting = 'wrong';
    if (greeting === 'encryption') {
      received = received.subarray(8);
      client.write('N');
      if (received.length > 0) read(Buffer.alloc(0));
      return;
    }
    clearTimeout(late);
    client.off('data', read).pause();
    if (greeting === 'wrong') client.destroy();
    else if (greeting.isCancel) connect(client, received);
    else if (greeting.user === refusedUser || greeting.database !== database)
      refuse(client, `Roles of datadeck sql-access alone may connect here, to the database ${database}.`);
    else connect(client, received);
  };
  client.on('data', read);
  client.on('close', () => clearTimeout(late));
}

const server = createServer({ noDelay: true, keepAlive: true }, serve);
server.maxConnections = MAX_CONNECTIONS;
server.once('error', ({ message }) => parentPort?.postMessage(message));
server.listen({ host, port }, () => parentPort?.postMessage(undefined));
