import { createServer, type Server, type Socket } from 'node:net';

/** One mail of the scripted server. */
export interface ScriptedMail {
  uid: number;
  source: string;
  /** Instead of sending the mail: refuse the whole command, or send NIL as its source. */
  instead?: 'refusal' | 'nothing';
  /** Its BODYSTRUCTURE, and its parts by name, e.g. `1.MIME`. Default: the server sends neither. */
  structure?: string;
  parts?: Record<string, string>;
}

const STATE = ['* OK [UIDVALIDITY 7] .', '* OK [UIDNEXT 1000] .', '* OK [HIGHESTMODSEQ 5] .'];

/** Returns whether a sequence set, e.g. '1:3,7', contains a UID. */
function holds(set: string, uid: number): boolean {
  return set.split(',').some((range) => {
    const [first = '', last = first] = range.split(':');
    return uid >= Number(first) && (last === '*' || uid <= Number(last));
  });
}

/** A piece of a content as a server sends it: `most` bytes from `start`; null for NIL. */
type Piece = (content: string, start: number, most: number) => string | null;

const pieceOf: Piece = (content, start, most) => content.slice(start, start + most);

/** Returns the requested contents of a mail as FETCH items. */
function contentsOf(mail: ScriptedMail, rest: string, piece: Piece): string {
  const { source, instead, structure, parts = {} } = mail;
  if (rest.includes('BODYSTRUCTURE') && structure !== undefined) return ` BODYSTRUCTURE ${structure}`;
  const requested = [...rest.matchAll(/BODY\.PEEK\[([^\]]*)\](?:<(\d+)\.(\d+)>)?/g)];
  const items = requested.map(([, name = '', start = 0, most = source.length]) => {
    const content = name === '' ? source : (parts[name] ?? '');
    const sent = instead === 'nothing' ? null : piece(content, Number(start), Number(most));
    return ` BODY[${name}]<${start}> ${sent === null ? 'NIL' : `{${sent.length}}\r\n${sent}`}`;
  });
  return items.join('');
}

/** Writes the same bytes repeatedly, as fast as the client reads. */
export function flood(socket: Socket, bytes: Buffer): void {
  const more = () => {
    while (!socket.destroyed && socket.write(bytes)) if (socket.writableLength > 0) break;
  };
  socket.on('drain', more);
  socket.write(bytes);
  more();
}

/** A mail server with the part of IMAP that the connector uses and configurable misbehaviour. */
export class ScriptedServer {
  mails: ScriptedMail[] = [];
  /** Responses to the next sign-ins instead of OK. */
  readonly refusals: string[] = [];
  /** Number of FETCH commands to answer with an endless slow drip. */
  drips = 0;
  /** Handles a line instead of the server if it returns true. */
  hostility: ((line: string, socket: Socket) => boolean) | undefined;
  /** Rewrites the lines of an answer: the command in capitals, its lines (the status last), and the mailbox. */
  rewrite: ((name: string, lines: string[], line: string) => string[]) | undefined;
  /** Returns what to send of a content. Default: what was asked for. */
  piece: Piece = pieceOf;
  /** Commands received. */
  readonly commands: string[] = [];
  /** Bytes of message contents sent. */
  contentBytes = 0;
  /** The server's greeting. */
  greeting = '* OK [CAPABILITY IMAP4rev1 CONDSTORE] ready\r\n';
  readonly #sockets = new Set<Socket>();
  readonly #server: Server = createServer((socket) => this.#greet(socket));

  static async start(): Promise<ScriptedServer> {
    const server = new ScriptedServer();
    server.#server.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.#server.once('listening', resolve));
    return server;
  }

  get port(): number {
    return (this.#server.address() as { port: number }).port;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #greet(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.write(this.greeting);
    let rest = '';
    socket.on('data', (bytes: Buffer) => {
      const lines = (rest + bytes.toString('latin1')).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        this.commands.push(line);
        if (this.hostility?.(line, socket)) continue;
        if (line.includes('BODY') && this.drips > 0) this.#drip(socket);
        else this.#send(line, socket);
      }
    });
  }

  #send(line: string, socket: Socket): void {
    const name = /^\S+ (?:UID )?(\w+)/.exec(line)?.[1]?.toUpperCase() ?? '';
    const lines = this.#answer(line);
    const sent = this.rewrite?.(name, lines, line) ?? lines;
    for (const [, size] of sent.join('\r\n').matchAll(/BODY\[[^\]]*\]\S* ~?\{(\d+)\}/gi))
      this.contentBytes += Number(size);
    socket.write(sent.join('\r\n').concat('\r\n'), 'latin1');
    if (sent.at(-1)?.startsWith('* BYE')) socket.end();
  }

  #drip(socket: Socket): void {
    this.drips--;
    const drip = setInterval(() => socket.write('* OK Still at it.\r\n'), 20);
    socket.once('close', () => clearInterval(drip));
  }

  /** @returns the lines of the response, the status last */
  #answer(line: string): string[] {
    const [, tag = '', name = '', rest = ''] = line.match(/^(\S+) (?:UID )?(\w+) ?(.*)$/) ?? [];
    const ok = `${tag} OK done`;
    switch (name) {
      case 'LOGIN':
        return [this.refusals.length > 0 ? `${tag} ${this.refusals.shift()}` : ok];
      case 'CAPABILITY':
        return ['* CAPABILITY IMAP4rev1 CONDSTORE', ok];
      case 'EXAMINE':
        return [`* ${this.mails.length} EXISTS`, ...STATE, ok];
      case 'FETCH':
        return this.#fetch(tag, rest);
      case 'SEARCH':
        return [`* SEARCH ${this.mails.map(({ uid }) => uid).join(' ')}`, ok];
      case 'LIST':
        return rest.startsWith('"" ""') ? [ok] : ['* LIST () "/" INBOX', ok];
      case 'STATUS':
        return [`* STATUS INBOX (MESSAGES ${this.mails.length} UNSEEN 0 UIDVALIDITY 7)`, ok];
      default:
        return [ok];
    }
  }

  #fetch(tag: string, rest: string): string[] {
    const [set = '', ...items] = rest.split(' ');
    const isWhole = items.join(' ').includes('BODY');
    const lines: string[] = [];
    for (const [index, mail] of this.mails.entries()) {
      const { uid, source, instead } = mail;
      if (!holds(set, uid)) continue;
      if (isWhole && instead === 'refusal') return [...lines, `${tag} NO The message cannot be converted.`];
      const outside = `UID ${uid} FLAGS () INTERNALDATE "01-Mar-2026 09:00:00 +0000" RFC822.SIZE ${source.length}`;
      const contents = isWhole ? contentsOf(mail, rest, this.piece) : '';
      lines.push(`* ${index + 1} FETCH (${outside}${contents})`);
    }
    return [...lines, `${tag} OK done`];
  }
}
