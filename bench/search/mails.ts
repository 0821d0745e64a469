import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MailAddress } from '../../packages/connectors/src/mail/addresses.ts';
import { textOfHtml } from '../../packages/connectors/src/mail/html.ts';
import { parseMime } from '../../packages/connectors/src/mail/mime-parser.ts';
import { readMailParts } from '../../packages/connectors/src/mail/read-mail.ts';
import { seededRandom } from '../../packages/server/test-support/seeded-random.ts';

/** The archive with SpamAssassin's mails in the folder of samples. */
const ARCHIVE = 'spamassassin-1000.tar.xz';
const WORD = /\p{L}{3,}/gu;
/** Share of words that a copy replaces, and of those that become a word that no other mail has. */
const CHANGED = 0.2;
const RARE = 0.05;
/** Words of the text of a generated mail, about 1 KB, and of its subject. */
const TEXT_WORDS = 150;
const SUBJECT_WORDS = 6;
const PEOPLE = 5000;
/** Longest text, UTF-16 units. */
const MAX_TEXT = 65_536;
const FIRST_DAY = Date.UTC(2016, 0, 1);
const MINUTE_MS = 60_000;

/** A mail as its sender wrote it. */
export interface SampleMail {
  file: string;
  from: MailAddress;
  to: MailAddress[];
  subject: string;
  text: string;
}

/** A mail of the bench, and the bytes that both products read. */
export interface BenchMail extends Omit<SampleMail, 'file'> {
  index: number;
  date: Date;
  isUnread: boolean;
  hasFile: boolean;
  source: Buffer;
}

const NOBODY: MailAddress = { name: '', address: 'nobody@example.org' };

/** Reads SpamAssassin's mails. @param folder that holds the archive @param temporary into which it is extracted */
export async function readSampleMails(folder: string, temporary: string): Promise<SampleMail[]> {
  execFileSync('tar', ['-xf', join(folder, ARCHIVE), '-C', temporary]);
  const extracted = join(temporary, 'spamassassin');
  const mails: SampleMail[] = [];
  for (const file of readdirSync(extracted).sort()) {
    const mail = readMailParts(parseMime(readFileSync(join(extracted, file))), MAX_TEXT);
    const addresses = (all: readonly MailAddress[]) => all.filter(({ address }) => address);
    mails.push({
      file,
      from: addresses([mail.from])[0] ?? NOBODY,
      to: addresses(mail.to).slice(0, 5),
      subject: mail.subject.replace(/\s+/g, ' '),
      text: mail.text || textOfHtml(mail.html).toWellFormed(),
    });
  }
  return mails;
}

const encoded = (text: string) => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`;
const isPlain = (text: string) => /^[\x20-\x7e]*$/.test(text) && !/["\\]/.test(text);
function written({ name, address }: MailAddress): string {
  if (name === '') return `<${address}>`;
  return `${isPlain(name) ? `"${name}"` : encoded(name)} <${address}>`;
}

const PART_TYPE = 'Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n';

/** Writes a mail as RFC 5322 says. */
function sourceOf(mail: Omit<BenchMail, 'source'>): Buffer {
  const { index, from, to, subject, text, date, hasFile } = mail;
  const head = [
    `From: ${written(from)}`,
    `To: ${(to.length > 0 ? to : [NOBODY]).map(written).join(', ')}`,
    `Subject: ${isPlain(subject) ? subject : encoded(subject)}`,
    `Date: ${date.toUTCString()}`,
    `Message-ID: <${index}@bench.example>`,
    'MIME-Version: 1.0',
  ].join('\r\n');
  const body = text.replace(/\r?\n/g, '\r\n');
  if (!hasFile) return Buffer.from(`${head}\r\n${PART_TYPE}\r\n${body}\r\n`);
  const file = `Content-Type: text/csv\r\nContent-Disposition: attachment; filename="report-${index}.csv"\r\n\r\n1,2,3`;
  return Buffer.from(
    `${head}\r\nContent-Type: multipart/mixed; boundary=bench\r\n\r\n--bench\r\n${PART_TYPE}\r\n${body}\r\n--bench\r\n${file}\r\n--bench--\r\n`,
  );
}

/** Makes the mails of the bench: the samples, then copies with changed words, or generated ones with the same words. */
export class MailMaker {
  readonly #samples: readonly SampleMail[];
  readonly #isGenerated: boolean;
  /** All words of the samples, so that frequent ones are drawn often. */
  readonly #words: string[];

  constructor(samples: readonly SampleMail[], { isGenerated }: { isGenerated: boolean }) {
    this.#samples = samples;
    this.#isGenerated = isGenerated;
    this.#words = samples.flatMap(({ text }) => text.slice(0, 5000).match(WORD) ?? []);
  }

  #draw(random: () => number): string {
    const word = () => this.#words[Math.floor(random() * this.#words.length)] ?? '';
    return random() < RARE ? word().toLowerCase() + word().toLowerCase() : word();
  }

  #changed(text: string, random: () => number): string {
    return text.replace(WORD, (word) => (random() < CHANGED ? this.#draw(random) : word));
  }

  #content(index: number, random: () => number): Pick<BenchMail, 'from' | 'to' | 'subject' | 'text'> {
    const sample = this.#samples[index % this.#samples.length] as SampleMail;
    if (!this.#isGenerated) {
      const { from, to } = sample;
      if (index < this.#samples.length) return sample;
      const [subject, text] = [this.#changed(sample.subject, random), this.#changed(sample.text, random)];
      return { from, to, subject, text };
    }
    const words = (count: number) => Array.from({ length: count }, () => this.#draw(random)).join(' ');
    const person = (number: number) => ({
      name: `${this.#words[number % this.#words.length]} ${this.#words[(7 * number) % this.#words.length]}`,
      address: `person${number}@domain${number % 60}.example`,
    });
    return {
      from: person(Math.floor(random() * random() * PEOPLE)),
      to: [person(Math.floor(random() * PEOPLE))],
      subject: words(SUBJECT_WORDS),
      text: words(TEXT_WORDS),
    };
  }

  /** Makes a mail, the same one for the same index. */
  make(index: number): BenchMail {
    const random = seededRandom(index + 1);
    const content = this.#content(index, random);
    const mail = {
      ...content,
      index,
      date: new Date(FIRST_DAY + index * 5 * MINUTE_MS),
      isUnread: random() < 0.2,
      hasFile: random() < 0.1,
    };
    return { ...mail, source: sourceOf(mail) };
  }
}
