import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchMail } from './mails.ts';

/** Results that are shown, as on a page of the product. */
const LIMIT = 20;

/** Returns the sum of the sizes of the files below a folder, bytes. */
function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

/** A mail store of `notmuch` (Debian) in a folder of its own, with a configuration of its own. */
export class Notmuch {
  readonly #folder: string;
  readonly #config: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.#config = join(folder, 'config');
    for (const part of ['cur', 'new', 'tmp']) mkdirSync(join(folder, 'mail', part), { recursive: true });
    writeFileSync(
      this.#config,
      `[database]\npath=${folder}/mail\n[user]\nname=Bench\nprimary_email=bench@example.org\n[new]\ntags=unread;inbox;\n[maildir]\nsynchronize_flags=true\n`,
    );
  }

  static isMissing(): boolean {
    return spawnSync('notmuch', ['--version']).error !== undefined;
  }

  #run(args: readonly string[]): string {
    return execFileSync('notmuch', [`--config=${this.#config}`, ...args], {
      encoding: 'utf8',
      maxBuffer: 1e9,
      env: { PATH: process.env.PATH, HOME: this.#folder },
    });
  }

  /** Writes a mail into the Maildir. */
  add({ index, isUnread, source }: Pick<BenchMail, 'index' | 'isUnread' | 'source'>): void {
    writeFileSync(join(this.#folder, 'mail', 'cur', `${index}.bench:2,${isUnread ? '' : 'S'}`), source);
  }

  /** Indexes the mails. */
  index(): void {
    this.#run(['new', '--quiet']);
  }

  /** Returns the size of the index, bytes. */
  indexSize(): number {
    return sizeOf(join(this.#folder, 'mail', '.notmuch'));
  }

  /** Returns the message ids of the newest matches. */
  search(query: string, limit = LIMIT): string[] {
    const lines = this.#run(['search', '--output=messages', `--limit=${limit}`, '--', query]).split('\n');
    return lines.filter((line) => line !== '').map((line) => line.replace(/^id:/, ''));
  }

  count(query: string): number {
    return Number(this.#run(['count', '--', query]));
  }
}
