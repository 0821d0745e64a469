import type { Socket } from 'node:net';
import type { ScriptedMail, ScriptedServer } from './scripted-server.ts';

/** A mailbox as the server writes it: its name in bytes (latin1), attributes and delimiter. */
export interface NamedMailbox {
  name: string;
  attributes?: string;
  /** Default: `"/"`. */
  delimiter?: string;
  /** Whether the server sends 8-bit bytes in quotes, which RFC 3501 does not allow. Default: as a literal. */
  isQuoted?: boolean;
  mails: ScriptedMail[];
}

/** Returns a quoted string, or a literal for 8-bit bytes, which quoted strings cannot contain. */
function stringOf({ name, isQuoted = false }: NamedMailbox): string {
  if (!isQuoted && /[\x80-\xff\r\n]/.test(name)) return `{${name.length}}\r\n${name}`;
  return `"${name.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** Reads the names in the arguments of a command: atoms, quoted strings and literals. */
function namesIn(rest: string): string[] {
  const names: string[] = [];
  for (const [, quoted, size, atom] of rest.matchAll(/"((?:\\.|[^"\\])*)"|\{(\d+)\+?\}\r\n|([^\s()]+)/g))
    names.push(quoted?.replaceAll(/\\(.)/g, '$1') ?? (size === undefined ? (atom ?? '') : `${size}`));
  return names;
}

/** Replaces literals by quoted strings. */
function withoutLiterals(command: string): string {
  const literal = /\{(\d+)\+?\}\r\n/.exec(command);
  if (!literal) return command;
  const from = literal.index + literal[0].length;
  const end = from + Number(literal[1]);
  const quoted = `"${command.slice(from, end).replaceAll(/["\\]/g, '\\$&')}"`;
  return command.slice(0, literal.index) + quoted + withoutLiterals(command.slice(end));
}

/** Returns whether a LIST pattern matches a name. */
function matches(pattern: string, name: string): boolean {
  const parts = pattern.split(/([*%])/).map((part) => {
    if (part === '*') return '.*';
    return part === '%' ? '[^/]*' : part.replaceAll(/[\\^$.|?+()[\]{}/-]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('')}$`, 's').test(name);
}

/** Serves several mailboxes, each opened by exactly its own name. Answers LIST, STATUS and EXAMINE. */
export class NamedMailboxes {
  readonly #server: ScriptedServer;
  readonly #mailboxes: readonly NamedMailbox[];
  #command = '';
  /** Bytes of a literal that have not arrived yet. */
  #open = 0;

  constructor(server: ScriptedServer, mailboxes: readonly NamedMailbox[]) {
    this.#server = server;
    this.#mailboxes = mailboxes;
    server.hostility = (line, socket) => this.#receive(line, socket);
  }

  #receive(line: string, socket: Socket): boolean {
    this.#command += line;
    const { length } = this.#command;
    const size = /\{(\d+)(\+?)\}$/.exec(line);
    if (length < this.#open) {
      this.#command += '\r\n';
      return true;
    }
    if (size) {
      if (size[2] === '') socket.write('+ go\r\n');
      this.#command += '\r\n';
      this.#open = this.#command.length + Number(size[1]);
      return true;
    }
    const command = withoutLiterals(this.#command);
    this.#command = '';
    this.#open = 0;
    return this.#answer(command, socket);
  }

  #answer(command: string, socket: Socket): boolean {
    const [, tag = '', name = '', rest = ''] = /^(\S+) (\w+) ?([\s\S]*)$/.exec(command) ?? [];
    const send = (...lines: string[]) => {
      socket.write(lines.map((line) => `${line}\r\n`).join(''), 'latin1');
      return true;
    };
    const names = namesIn(rest);
    if (name === 'LIST' || name === 'LSUB') {
      const lines = this.#mailboxes
        .filter((mailbox) => matches(names[1] ?? '', mailbox.name))
        .map(
          (mailbox) =>
            `* ${name} (${mailbox.attributes ?? ''}) ${mailbox.delimiter ?? '"/"'} ${stringOf(mailbox)}`,
        );
      return send(...lines, `${tag} OK done`);
    }
    if (name !== 'EXAMINE' && name !== 'STATUS') return false;
    const found = this.#mailboxes.find((mailbox) => mailbox.name === names[0]);
    if (!found || /noselect/i.test(found.attributes ?? '')) return send(`${tag} NO [NONEXISTENT] none`);
    if (name === 'STATUS') {
      const counts = `(MESSAGES ${found.mails.length} UNSEEN 0 UIDVALIDITY 7)`;
      return send(`* STATUS ${stringOf(found)} ${counts}`, `${tag} OK done`);
    }
    this.#server.mails = found.mails;
    return false;
  }
}
