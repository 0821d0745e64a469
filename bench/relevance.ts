/**
 * `node bench/relevance.ts --mails FOLDER`: 60 searches with known answers over SpamAssassin's mails, beside `notmuch`
 * (Debian), which orders by date. Prints precision at 5 (of those that five places can hold) and the mean reciprocal rank.
 * FOLDER (or BENCH_MAILS) holds spamassassin-1000.tar.xz.
 */
import { parseArgs } from 'node:util';
import type { SearchResults } from '../packages/contract/src/index.ts';
import { makeTemporaryFolder, removeDataFolder } from '../packages/server/test-support/temporary-folder.ts';
import { KNOWN_ANSWERS } from './search/known-answers.ts';
import { MailMaker, readSampleMails, type SampleMail } from './search/mails.ts';
import { Notmuch } from './search/notmuch.ts';
import { MailStore } from './search/store.ts';

const { values } = parseArgs({
  options: { mails: { type: 'string', default: process.env.BENCH_MAILS ?? '' } },
});
const SHOWN = 5;

/** Returns the subject of the thread: without `Re:` and the names of lists. */
function threadOf({ subject }: SampleMail): string {
  return subject
    .replace(/^(?:(?:re|fw|fwd|aw)(?:\[\d+\])?:\s*|\[[^\]]{1,20}\]\s*)+/i, '')
    .trim()
    .toLowerCase();
}

interface Score {
  precision: number;
  reciprocalRank: number;
}

/** Rates the first results of a search. */
function rate(found: readonly string[], answers: ReadonlySet<string>): Score {
  const hits = found.slice(0, SHOWN).filter((id) => answers.has(id)).length;
  const rank = found.findIndex((id) => answers.has(id));
  return {
    precision: hits / Math.min(SHOWN, answers.size),
    reciprocalRank: rank < 0 ? 0 : 1 / (rank + 1),
  };
}

function print(name: string, scores: readonly Score[]): void {
  const mean = (key: keyof Score) => scores.reduce((sum, score) => sum + score[key], 0) / scores.length;
  console.log(
    `${name.padEnd(10)} precision at ${SHOWN}: ${mean('precision').toFixed(2)}, mean reciprocal rank: ${mean('reciprocalRank').toFixed(2)}`,
  );
}

const folder = makeTemporaryFolder('datadeck-relevance-');
const store = await MailStore.start();
try {
  const samples = await readSampleMails(values.mails, folder);
  const maker = new MailMaker(samples, { isGenerated: false });
  const mails = samples.map((_, index) => maker.make(index));
  await store.add(mails);
  await store.vacuum();
  const notmuch = Notmuch.isMissing() ? undefined : new Notmuch(folder);
  for (const mail of mails) notmuch?.add(mail);
  notmuch?.index();
  const scores: { product: Score[]; notmuch: Score[] } = { product: [], notmuch: [] };
  for (const [q, thread] of KNOWN_ANSWERS) {
    const answers = samples.flatMap((mail, index) => (threadOf(mail) === thread ? [index] : []));
    if (answers.length === 0) throw new Error(`no mail has the subject ${thread}`);
    const { results } = await store.client.get<SearchResults>(
      `/api/data/search?${new URLSearchParams({ q })}`,
    );
    const score = rate(
      results.map(({ recordId }) => recordId),
      new Set(answers.map((index) => `INBOX/1/${index + 1}`)),
    );
    scores.product.push(score);
    const other =
      notmuch && rate(notmuch.search(q), new Set(answers.map((index) => `${index}@bench.example`)));
    if (other) scores.notmuch.push(other);
    const columns = [score, ...(other ? [other] : [])].map(
      ({ precision, reciprocalRank }) => `${precision.toFixed(2)} ${reciprocalRank.toFixed(2)}`,
    );
    console.log(`${columns.join('   ')}   ${q}`);
  }
  print('product', scores.product);
  if (notmuch) print('notmuch', scores.notmuch);
} finally {
  await store.server.remove();
  removeDataFolder(folder);
}
