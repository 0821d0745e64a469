import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** A mail as the server received it. */
export interface ReceivedMail {
  from: string;
  to: string[];
  /** Header and body as they were sent. */
  source: string;
}

/** One conversation in SMTP (RFC 5321) with AUTH PLAIN (RFC 4954). */
class Conversation {
  readonly #socket: Socket;
  readonly #server: MailServer;
  #buffer = '';
  #from = '';
  #to: string[] = [];
  #isData = false;

  constructor(socket: Socket, server: MailServer) {
    this.#socket = socket;
    this.#server = server;
    socket.setEncoding('latin1');
    socket.on('error', () => undefined);
    socket.on('data', (text: string) => {
      this.#buffer += text;
      this.#read();
    });
    this.#answer('220 mail.example ready');
  }

  #answer(line: string): void {
    this.#socket.write(`${line}\r\n`);
  }

  #read(): void {
    for (;;) {
      const end = this.#isData ? '\r\n.\r\n' : '\r\n';
      const at = this.#buffer.indexOf(end);
      if (at < 0) return;
      const text = this.#buffer.slice(0, at);
      this.#buffer = this.#buffer.slice(at + end.length);
      if (this.#isData) this.#accept(text);
      else this.#command(text);
    }
  }

  #accept(text: string): void {
    this.#isData = false;
    const source = Buffer.from(text.replaceAll('\r\n..', '\r\n.'), 'latin1').toString();
    this.#server.mails.push({ from: this.#from, to: this.#to, source });
    this.#to = [];
    this.#answer('250 2.0.0 accepted');
  }

  #command(line: string): void {
    const verb = line.split(' ')[0]?.toUpperCase();
    const address = /<([^>]*)>/.exec(line)?.[1] ?? '';
    if (verb === 'EHLO') this.#socket.write('250-mail.example\r\n250-AUTH PLAIN\r\n250 8BITMIME\r\n');
    else if (verb === 'AUTH') {
      const [, user, password] = Buffer.from(line.split(' ')[2] ?? '', 'base64')
        .toString()
        .split('\0');
      this.#answer(`${user}:${password}` === this.#server.login ? '235 welcome' : '535 wrong password');
    } else if (verb === 'RCPT' && this.#server.refusal !== undefined) this.#answer(this.#server.refusal);
    else if (verb === 'DATA') {
      this.#isData = true;
      this.#answer('354 go ahead');
    } else if (verb === 'QUIT') this.#socket.end('221 bye\r\n');
    else {
      if (verb === 'MAIL') this.#from = address;
      if (verb === 'RCPT') this.#to.push(address);
      this.#answer('250 ok');
    }
  }
}

/** A mail server that keeps what it receives. */
export class MailServer {
  readonly mails: ReceivedMail[] = [];
  /** The accepted user and password. */
  readonly login = 'datadeck:secret';
  /** The answer to each recipient; by default all are accepted. */
  refusal: string | undefined;
  readonly #server: Server;

  constructor() {
    this.#server = createServer((socket) => new Conversation(socket, this));
  }

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  /** Value of SMTP_URL. */
  get url(): string {
    return `smtp://${this.login}@127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.close();
  }
}
