import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const BINARY = ['/usr/sbin/dovecot', '/usr/local/sbin/dovecot'].find(existsSync);

/** Reason why tests with Dovecot cannot run here; undefined if they can. */
export const DOVECOT_MISSING =
  BINARY === undefined
    ? 'Dovecot is not installed (Debian, Ubuntu: apt-get install dovecot-imapd)'
    : undefined;
if (DOVECOT_MISSING) console.warn(`Tests of the IMAP connector are skipped: ${DOVECOT_MISSING}`);

/** Longest start of a mail server. */
const START_MS = 15_000;

/** Returns a port of loopback that nobody uses. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Owner of the mail; Dovecot refuses mail owned by root. */
function owner(): { user: string; uid: number; gid: number } {
  const { username, uid, gid } = userInfo();
  return uid === 0 ? { user: 'nobody', uid: 65534, gid: 65534 } : { user: username, uid, gid };
}

interface Ports {
  plain: number;
  tls: number;
}

/** Returns the configuration that accepts tokens, as the introspection of an identity platform does. */
function tokenConfiguration(folder: string): string {
  return `
passdb {
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = ${folder}/oauth2.conf
}
`;
}

function introspectionConfiguration(introspectionUrl: string): string {
  return `
introspection_mode = post
introspection_url = ${introspectionUrl}
username_attribute = username
active_attribute = active
active_value = true
`;
}

function configuration(folder: string, ports: Ports, acceptsTokens: boolean): string {
  const { user, uid, gid } = owner();
  const group = execFileSync('id', ['-gn', user], { encoding: 'utf8' }).trim();
  return `
base_dir = ${folder}/run
state_dir = ${folder}/run
log_path = ${folder}/dovecot.log
protocols = imap
listen = 127.0.0.1
default_internal_user = ${user}
default_internal_group = ${group}
default_login_user = ${user}
first_valid_uid = ${uid}
first_valid_gid = ${gid}
disable_plaintext_auth = no
auth_failure_delay = 0
auth_mechanisms = plain login${acceptsTokens ? ' xoauth2' : ''}
auth_cache_size = 0
${acceptsTokens ? tokenConfiguration(folder) : ''}ssl = yes
ssl_cert = <${folder}/cert.pem
ssl_key = <${folder}/key.pem
mail_location = maildir:${folder}/mail/%u
mail_fsync = never
mail_max_userip_connections = 50
namespace inbox {
  inbox = yes
  separator = /
}
passdb {
  driver = passwd-file
  mechanisms = plain login
  args = ${folder}/passwd
}
userdb {
  driver = static
  args = uid=${uid} gid=${gid} allow_all_users=yes home=${folder}/mail/%u
}
service imap-login {
  chroot =
  client_limit = 200
  inet_listener imap {
    port = ${ports.plain}
  }
  inet_listener imaps {
    port = ${ports.tls}
    ssl = yes
  }
}
service anvil {
  chroot =
}
service stats {
  client_limit = 200
}
`;
}

/** A separate Dovecot server: private folder, free ports on loopback, users with passwords. */
export class Dovecot {
  readonly folder: string;
  readonly ports: Ports;
  #process: ChildProcess | undefined;

  private constructor(folder: string, ports: Ports) {
    this.folder = folder;
    this.ports = ports;
  }

  /**
   * Starts a server with these users: password by user name.
   * @param introspectionUrl where tokens of OAuth are checked (RFC 7662). Default: it accepts passwords only
   */
  static async start(passwords: Record<string, string>, introspectionUrl?: string): Promise<Dovecot> {
    const folder = mkdtempSync(join(tmpdir(), 'dovecot-'));
    const dovecot = new Dovecot(folder, { plain: await freePort(), tls: await freePort() });
    try {
      dovecot.#prepare(passwords, introspectionUrl);
      await dovecot.#launch();
      return dovecot;
    } catch (error) {
      await dovecot.stop();
      throw error;
    }
  }

  /** The TLS certificate, for localhost. */
  get certificate(): string {
    return readFileSync(join(this.folder, 'cert.pem'), 'utf8');
  }

  /** Changes passwords and waits until they are active; Dovecot checks the file once a second. */
  async changePasswords(passwords: Record<string, string>): Promise<void> {
    this.#writePasswords(passwords);
    for (const [user, password] of Object.entries(passwords)) {
      for (const begun = Date.now(); !this.#accepts(user, password); await sleep(100)) {
        if (Date.now() - begun > START_MS) throw new Error(`Dovecot does not accept the password of ${user}`);
      }
    }
  }

  #accepts(user: string, password: string): boolean {
    try {
      this.admin('auth', 'test', user, password);
      return true;
    } catch {
      return false;
    }
  }

  #writePasswords(passwords: Record<string, string>): void {
    const lines = Object.entries(passwords).map(([user, password]) => `${user}:{PLAIN}${password}`);
    const path = join(this.folder, 'passwd');
    writeFileSync(path, `${lines.join('\n')}\n`);
  }

  /** Runs `doveadm` on this server and returns its output. */
  admin(...args: string[]): string {
    const config = join(this.folder, 'dovecot.conf');
    return execFileSync('doveadm', ['-c', config, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  /** Returns the server's log. */
  get log(): string {
    const path = join(this.folder, 'dovecot.log');
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  }

  async stop(): Promise<void> {
    const running = this.#process;
    if (running && running.exitCode === null && running.signalCode === null) {
      const ended = new Promise((resolve) => running.once('exit', resolve));
      running.kill('SIGTERM');
      await ended;
    }
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }

  #prepare(passwords: Record<string, string>, introspectionUrl: string | undefined): void {
    const { folder } = this;
    const { uid, gid } = owner();
    chmodSync(folder, 0o755);
    mkdirSync(join(folder, 'run'));
    mkdirSync(join(folder, 'mail'));
    chownSync(join(folder, 'mail'), uid, gid);
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-days', '2'];
    const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
    execFileSync('openssl', ['req', '-x509', '-nodes', ...ec, '-keyout', key, '-out', cert, ...subject], {
      stdio: 'ignore',
    });
    this.#writePasswords(passwords);
    const acceptsTokens = introspectionUrl !== undefined;
    if (acceptsTokens)
      writeFileSync(join(folder, 'oauth2.conf'), introspectionConfiguration(introspectionUrl));
    writeFileSync(join(folder, 'dovecot.conf'), configuration(folder, this.ports, acceptsTokens));
  }

  async #launch(): Promise<void> {
    const args = ['-F', '-c', join(this.folder, 'dovecot.conf')];
    const child = spawn(BINARY ?? 'dovecot', args, { stdio: 'ignore' });
    this.#process = child;
    for (const begun = Date.now(); !this.log.includes('starting up'); ) {
      if (child.exitCode !== null || Date.now() - begun > START_MS)
        throw new Error(`Dovecot did not start: ${this.log}`);
      await sleep(20);
    }
  }
}
