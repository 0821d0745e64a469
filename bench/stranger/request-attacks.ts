import { connect, type Socket } from 'node:net';
import { ENDPOINTS, type Endpoint } from '../../packages/contract/src/index.ts';
import { type Attack, newAddress, send, type Target, wait } from './attack.ts';

const MEGABYTE = 1024 * 1024 - 100;
const PULLS = '/api/integrations/entities/aggregation/gh-pulls/pulls-all?page=1';
const PLAN = '/api/integrations/synchronizations/plan';

/** Fills a megabyte with a piece, between two others. */
const filled = (open: string, piece: string, end: string) =>
  open + piece.repeat(Math.floor((MEGABYTE - open.length - end.length) / piece.length)) + end;
const nested = (open: string, end: string) => {
  const depth = Math.floor(MEGABYTE / (open.length + end.length));
  return open.repeat(depth) + end.repeat(depth);
};
/** Members `prefix0`, `prefix1`, … up to a megabyte. */
function members(piece: (n: number) => string): string {
  const parts: string[] = [];
  for (let size = 0, n = 0; size < MEGABYTE - 1000; n++)
    size += (parts[parts.push(piece(n)) - 1]?.length ?? 0) + 1;
  return parts.join(',');
}

/** Bodies of a megabyte that cost more to look at than to send. */
const BODIES: Record<string, string> = {
  'nested lists': nested('[', ']'),
  'nested members': `${'{"a":'.repeat(170_000)}1${'}'.repeat(170_000)}`,
  'nested text that cannot be stored': `${'["\\u0000",'.repeat(80_000)}1${']'.repeat(80_000)}`,
  'many bindings': `{"entryCollection":"gh-pulls","templateKey":"pulls-all","jsonNataQuery":"1","parameters":{${members((n) => `"b${n}":1`)}}}`,
  'many wrong bindings': `{"entryCollection":"gh-pulls","templateKey":"pulls-all","jsonNataQuery":"1","parameters":{${members((n) => `"-${n}":{}`)}}}`,
  'many settings': `{"providerId":"google","entityLabel":"gmail-messages","entitySettings":{${members((n) => `"s${n}":1`)}}}`,
  'many fields': `{"values":{${members((n) => `"f${n}":1`)}}}`,
  'many parameters': `{"title":"t","description":"d","jsonNataQuery":"$","providerId":"google","entityLabel":"gmail-messages","templateKey":"messages-all","parameters":[${members((n) => `{"name":"p${n}","type":"text"}`)}]}`,
  'many wrong parameters': `{"title":"t","description":"d","jsonNataQuery":"$","providerId":"google","entityLabel":"gmail-messages","templateKey":"messages-all","parameters":[${members(() => '{}')}]}`,
  'a long text': filled('{"title":"', 'x', '"}'),
  'a long name': filled('{"', 'x', '":1}'),
  'a prototype': filled('{"__proto__":[', '{},', '{}]}'),
  'white space': filled('{', ' ', '}'),
  'a number': filled('', '9', ''),
};

/** Paths to which a body can be sent; ids are made up. */
const TAKERS = Object.values<Endpoint>(ENDPOINTS)
  .filter(({ method, path }) => method !== 'GET' && !/delete-|logout|disconnect/.test(path))
  .map(({ method, path }) => ({
    method,
    path: path.replace('{provider}', 'imap').replaceAll(/\{\w+\}/g, crypto.randomUUID()),
  }));

async function sendBodies(target: Target): Promise<void> {
  for (const body of Object.values(BODIES)) {
    await Promise.all(
      TAKERS.map(({ method, path }) => send(target, { method, path, token: target.user, body })),
    );
    if (target.signal.aborted) return;
  }
}

async function planLabels(target: Target): Promise<void> {
  const plan = (count: number) => {
    const labelIds = Array.from({ length: count }, (_, n) => `Label_${n}`).join(',');
    const body = { providerId: 'google', entityLabel: 'gmail-messages', entitySettings: { labelIds } };
    return send(target, { method: 'POST', path: PLAN, token: target.user, body });
  };
  await plan(80_000);
  await Promise.all(Array.from({ length: 20 }, () => plan(100)));
}

/** Opens connections that say what they like. Ends with them, or after some seconds. */
async function withSockets(
  target: Target,
  { count, ms }: { count: number; ms: number },
  talk: (socket: Socket) => (() => void) | undefined,
): Promise<void> {
  const { hostname, port } = new URL(target.url);
  const timers: NodeJS.Timeout[] = [];
  const sockets = Array.from({ length: count }, () => {
    const socket = connect(Number(port), hostname);
    let seen = false;
    socket.on('error', () => undefined);
    socket.on('close', () => target.note(seen ? 'closed after an answer' : 'closed'));
    socket.on('data', (data: Buffer) => {
      if (!seen) target.note(data.toString('latin1').slice(9, 12));
      seen = true;
    });
    socket.once('connect', () => {
      const more = talk(socket);
      if (more) timers.push(setInterval(more, 200));
    });
    return socket;
  });
  await wait(target, ms);
  for (const timer of timers) clearInterval(timer);
  for (const socket of sockets) socket.destroy();
}

/** A byte now and then, of a request that never ends. */
async function dripRequests(target: Target): Promise<void> {
  await withSockets(target, { count: 500, ms: 10_000 }, (socket) => {
    const isBody = socket.localPort === undefined || socket.localPort % 2 === 0;
    const start = isBody ? 'content-type: application/json\r\ncontent-length: 1000000\r\n\r\n' : 'x-a: ';
    socket.write(
      `POST /api/data/query HTTP/1.1\r\nhost: localhost\r\nauthorization: ${target.user}\r\n${start}`,
    );
    return () => socket.write('a');
  });
}

/** Many requests on each connection whose answers nobody reads. */
async function leaveUnread(target: Target): Promise<void> {
  const [demo = ''] = target.demos;
  await withSockets(target, { count: 20, ms: 5000 }, (socket) => {
    socket.pause();
    const head = `GET ${PULLS} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${demo}\r\n\r\n`;
    socket.write(head.repeat(500));
    return undefined;
  });
}

async function openStreams(target: Target): Promise<void> {
  const tokens = [target.user, ...target.demos];
  await withSockets(target, { count: 300, ms: 5000 }, (socket) => {
    if (Math.random() < 0.5) socket.pause();
    const token = tokens[Math.floor(Math.random() * tokens.length)] ?? '';
    const from = `x-forwarded-for: ${newAddress()}\r\n`;
    socket.write(`GET /api/events HTTP/1.1\r\nhost: localhost\r\n${from}authorization: ${token}\r\n\r\n`);
    return undefined;
  });
}

async function sendHeaders(target: Target): Promise<void> {
  const long = 'x'.repeat(15_000);
  const many = Array.from({ length: 3000 }, (_, n) => `a${n}=`).join('&');
  const paths = [
    `${PULLS}&${many}`,
    `${PULLS}&a${'[a]'.repeat(4000)}=1`,
    `${PULLS}&parameters=${long}`,
    `/${long}`,
  ];
  await Promise.all(paths.map((path) => send(target, { path, token: target.user })));
  const headers = [
    { cookie: Array.from({ length: 2000 }, (_, n) => `c${n}=1`).join(';') },
    { accept: 'a/b,'.repeat(3500) },
    { 'x-forwarded-for': '1.2.3.4,'.repeat(1800) },
    { 'content-type': `application/json;${'a=b;'.repeat(3500)}` },
    { range: `bytes=${'0-1,'.repeat(3500)}` },
    { authorization: `Bearer ${' '.repeat(14_000)}x` },
    { 'x-large': 'x'.repeat(100_000) },
  ];
  await Promise.all(
    headers.flatMap((one) =>
      ['/', PULLS, '/auth/google'].map((path) => send(target, { path, headers: one })),
    ),
  );
}

/** Attacks by the form of requests. */
export const REQUEST_ATTACKS: readonly Attack[] = [
  { name: 'json-bodies', atOnce: 2, run: sendBodies },
  { name: 'plan-labels', atOnce: 2, run: planLabels },
  { name: 'slow-requests', run: dripRequests },
  { name: 'unread-answers', run: leaveUnread },
  { name: 'event-streams', run: openStreams },
  { name: 'headers', atOnce: 4, run: sendHeaders },
];
