import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Niceness of attackers and of the providers' sandbox: they represent other machines, so they must not take the
 * processor from the product.
 */
export const OTHER_MACHINE_NICENESS = 15;

/** What an attack is given: the product, accounts of its own, and a place for the answers. */
export interface Target {
  url: string;
  /** Address of the stand-ins of Google and GitHub, whose control inserts hostile mails. */
  sandbox: string;
  /** Session token of a signed-in user who is used by this attack alone. */
  user: string;
  /** Address of the user's Google account. */
  email: string;
  /** Address of a SQL role of the user, by the port for roles. */
  sql: string;
  /** Session tokens of demo users who are shared by all attacks. */
  demos: readonly string[];
  /** Aborted when the attack's time is over. */
  signal: AbortSignal;
  /** Counts an answer under this text. */
  note(answer: string): void;
}

export interface Attack {
  name: string;
  /** Rounds that run at the same time; default 1. */
  atOnce?: number;
  /** One round. It is repeated until the time is over. */
  run(target: Target): Promise<void>;
}

interface Sent {
  method?: string;
  path: string;
  token?: string;
  /** Sent as JSON unless it is a text. */
  body?: unknown;
  headers?: Record<string, string>;
  /** leave: closes the connection after the first bytes; hold: reads nothing for 5 s. */
  reading?: 'all' | 'leave' | 'hold';
}

interface Answer {
  status: number;
  /** The first 64 KB. */
  text: string;
}

const HELD_MS = 5000;
const KEPT_TEXT = 64 * 1024;
const agent = new Agent({ keepAlive: true, maxSockets: 512 });

let addresses = 0;

/** A new address that a request says it comes from. */
export function newAddress(): string {
  addresses++;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

async function readAnswer(answer: IncomingMessage, reading: Sent['reading']): Promise<string> {
  if (reading === 'hold') {
    answer.pause();
    await sleep(HELD_MS);
    answer.destroy();
    return '';
  }
  let text = '';
  for await (const chunk of answer) {
    if (text.length < KEPT_TEXT) text += String(chunk);
    if (reading === 'leave') break;
  }
  return text;
}

/** Sends a request from an address of its own and counts its answer, as `422 validation-failed`. */
export async function send(target: Target, sent: Sent): Promise<Answer> {
  const { method = 'GET', path, token, body, headers = {}, reading = 'all' } = sent;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const made = request(target.url + path, {
        method,
        agent: reading === 'all' ? agent : false,
        signal: target.signal,
        headers: {
          'x-forwarded-for': newAddress(),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(text === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
      });
      made.on('response', resolve).on('error', reject).end(text);
    });
    const status = answer.statusCode ?? 0;
    const read = await readAnswer(answer, reading);
    const code = /"code":"([\w-]+)"/.exec(read.slice(0, 300))?.[1] ?? '';
    target.note(`${status} ${status < 400 ? '' : code}`.trim());
    return { status, text: read };
  } catch (error) {
    if (!target.signal.aborted) target.note(`closed ${(error as NodeJS.ErrnoException).code ?? ''}`.trim());
    return { status: 0, text: '' };
  }
}

/** Waits, at most until the attack's time is over. */
export async function wait(target: Target, ms: number): Promise<void> {
  await sleep(ms, undefined, { signal: target.signal }).catch(() => undefined);
}

/** A query over all rows of a template, for a demo user or a signed-in one. */
export function query(target: Target, token: string, expression: string): Promise<Answer> {
  const isUser = token === target.user;
  const body = {
    entryCollection: isUser ? 'gmail-messages' : 'gh-pulls',
    templateKey: isUser ? 'messages-all' : 'pulls-all',
    jsonNataQuery: expression,
  };
  return send(target, { method: 'POST', path: '/api/data/query', token, body });
}

/** Stores a view upon messages. @returns its id; undefined when it is refused */
export async function storeView(target: Target, more: Record<string, unknown>): Promise<string | undefined> {
  const body = {
    title: 'View',
    description: 'View',
    jsonNataQuery: '$',
    providerId: 'google',
    entityLabel: 'gmail-messages',
    templateKey: 'messages-all',
    ...more,
  };
  const { status, text } = await send(target, {
    method: 'POST',
    path: '/api/data/views',
    token: target.user,
    body,
  });
  return status === 201 ? (JSON.parse(text) as { _id: string })._id : undefined;
}
