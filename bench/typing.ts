/**
 * `node bench/typing.ts --mails FOLDER [--count N] [--check]`: types words into the search page in Chromium, over 10,000 mails
 * of one user, and prints the time from the last key to results on screen. FOLDER (or BENCH_MAILS) holds
 * spamassassin-1000.tar.xz. `--check` fails when the goal is missed.
 */
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { chromium, type Page } from '@playwright/test';
import type { SearchResults } from '../packages/contract/src/index.ts';
import { makeTemporaryFolder, removeDataFolder } from '../packages/server/test-support/temporary-folder.ts';
import { findChromium } from '../scripts/test-tools.ts';
import { percentile } from './percentile.ts';
import { MailMaker, readSampleMails } from './search/mails.ts';
import { makeQueries } from './search/queries.ts';
import { MailStore } from './search/store.ts';

const { values } = parseArgs({
  options: {
    mails: { type: 'string', default: process.env.BENCH_MAILS ?? '' },
    count: { type: 'string', default: '10000' },
    check: { type: 'boolean', default: false },
  },
});
const COUNT = Number(values.count);
const STEP = 1000;
const WORDS = 40;
/** Timeout of the results of a word, ms. */
const TIMEOUT_MS = 10_000;
/** Goal from the last key to results on screen, ms. */
const GOAL_MS = 100;
/** Time between two keys, ms: that of a fast typist. */
const KEY_MS = 100;

/** Milliseconds from a key to the first frame that shows results of the text in the box, and to the end of their answer. */
interface Typed {
  shown: number;
  answered: number;
}

/** Waits for results that begin with a title. Resolves after the frame that shows them was painted. */
async function untilShown(page: Page, { title, q }: { title: string; q: string }): Promise<Typed> {
  return page.evaluate(
    (wanted) =>
      new Promise<Typed>((resolve) => {
        const box = document.querySelector<HTMLInputElement>('[role=combobox]');
        const look = (key: number) => {
          const first = document.querySelector('a[data-result]')?.textContent;
          if (first !== wanted.title || box?.value !== wanted.q) {
            requestAnimationFrame(() => look(key));
            return;
          }
          // A task that is posted before a frame is painted runs after it.
          const channel = new MessageChannel();
          channel.port1.onmessage = () => {
            const path = `/api/data/search?q=${wanted.q}&`;
            const answer = performance
              .getEntriesByType('resource')
              .findLast(({ name }) => name.includes(path)) as PerformanceResourceTiming;
            resolve({ shown: performance.now() - key, answered: answer.responseEnd - key });
          };
          channel.port2.postMessage(0);
        };
        box?.addEventListener('input', function last(event) {
          if (box.value !== wanted.q) return;
          box.removeEventListener('input', last);
          look(event.timeStamp);
        });
      }),
    { title, q },
  );
}

/** Returns words whose results begin with another mail than those of the word without its last letter. */
async function distinctWords({ client }: MailStore, words: readonly string[]) {
  const first = async (q: string) => {
    const found = await client.get<SearchResults>(
      `/api/data/search?${new URLSearchParams({ q, isTyping: 'true' })}`,
    );
    return found.results[0]?.title.map(({ text }) => text).join('');
  };
  const distinct: { q: string; title: string }[] = [];
  for (const q of new Set(words)) {
    const title = await first(q);
    if (title && title !== (await first(q.slice(0, -1)))) distinct.push({ q, title });
  }
  return distinct;
}

/**
 * Types words letter by letter into the search page of a Chromium.
 * @param words of letters only
 * @returns the times of each word, ms
 */
async function measureTyping(store: MailStore, words: readonly string[]): Promise<Typed[]> {
  const distinct = await distinctWords(store, words);
  const executablePath = findChromium();
  const browser = await chromium.launch({
    ...(executablePath && existsSync(executablePath) && { executablePath }),
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.addInitScript(
      (token) => localStorage.setItem('dd-authToken', JSON.stringify(token)),
      store.client.token,
    );
    await page.goto(`${store.server.url}/dashboard/data/search`);
    const box = page.getByRole('combobox', { name: 'Search all records' });
    const times: Typed[] = [];
    for (const { q, title } of distinct) {
      await box.fill('');
      await page.waitForTimeout(500);
      await page.evaluate(() => performance.clearResourceTimings());
      const typed = untilShown(page, { q, title });
      await box.pressSequentially(q, { delay: KEY_MS });
      const shown = await Promise.race([typed, sleep(TIMEOUT_MS)]);
      if (shown) times.push(shown);
      else console.log(`"${q}" did not show "${title}" first: left out`);
    }
    return times;
  } finally {
    await browser.close();
  }
}

/** Stores mails. @returns words of some of them */
async function fill(store: MailStore, maker: MailMaker): Promise<string[]> {
  const kept = [];
  for (let first = 0; first < COUNT; first += STEP) {
    const count = Math.min(STEP, COUNT - first);
    const mails = Array.from({ length: count }, (_, place) => maker.make(first + place));
    await store.add(mails);
    kept.push(...mails.slice(0, 50));
  }
  await store.vacuum();
  const words = makeQueries(kept, 300).flatMap(({ product }) => product.split(' '));
  return words.filter((word) => /^[a-z]{4,10}$/.test(word)).slice(0, WORDS);
}

const folder = makeTemporaryFolder('datadeck-typing-');
const store = await MailStore.start({ hasWebApp: true });
try {
  const samples = await readSampleMails(values.mails, folder);
  const typed = await measureTyping(store, await fill(store, new MailMaker(samples, { isGenerated: false })));
  for (const [name, key] of [
    ['last key to the end of the answer', 'answered'],
    ['last key to results on screen', 'shown'],
  ] as const) {
    const times = typed.map((one) => one[key]);
    const [p50, p90] = [0.5, 0.9].map((share) => percentile(times, share).toFixed(0));
    console.log(`${name.padEnd(34)} p50 ${p50} ms, p90 ${p90} ms`);
  }
  const isMissed =
    percentile(
      typed.map(({ shown }) => shown),
      0.5,
    ) > GOAL_MS;
  console.log(
    `${typed.length} words in ${COUNT} mails; ${isMissed ? 'MISSED' : 'reached'} the goal of ${GOAL_MS} ms`,
  );
  if (values.check && isMissed) process.exitCode = 1;
} finally {
  await store.server.remove();
  removeDataFolder(folder);
}
