import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import PostalMime from 'postal-mime';
import { connectBoth, expect, openPage, runTemplate, signIn, syncEntity, test } from './support/journey.ts';

const REPOSITORY = dirname(dirname(fileURLToPath(import.meta.url)));
const SHARED = join(REPOSITORY, '..', 'shared', 'data');
const folder = mkdtempSync(join(tmpdir(), 'datadeck-recorded-'));
const mails = join(folder, 'spamassassin');
const pulls = join(folder, 'pulls');

test.use({ settings: { SANDBOX_FOLDER: folder, SANDBOX_QUOTA_SCALE: '0' } });
test.skip(!existsSync(SHARED), 'the recorded material (../shared/data) is not on this machine');

test.beforeAll(() => {
  execFileSync('tar', ['xJf', join(SHARED, 'rfc822', 'spamassassin-1000.tar.xz'), '-C', folder]);
  mkdirSync(pulls);
  for (const name of ['recorded-list.json', 'recorded-single.json']) {
    cpSync(join(SHARED, 'github-pulls', name), join(pulls, name));
  }
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Rows<T> {
  results: T[];
  count: number;
}
interface Message {
  id: string;
  subject: string;
  messageId: string;
  from: { address: string };
  text: string;
  html: string;
}
type Pull = Record<string, unknown> & {
  id: number;
  updated_at: string;
  account?: string;
  accounts?: string[];
};

type Fields = Record<string, unknown>;

function picked(object: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.flatMap((name) => (name in object ? [[name, object[name]]] : [])));
}

/** A pull request with what is kept of it: of its repositories what identifies them. */
function keptOf(pull: Pull): Pull {
  const side = (of: unknown) => {
    const { repo, ...rest } = of as Fields & { repo: (Fields & { owner: Fields }) | null };
    const names = ['id', 'name', 'full_name', 'private', 'html_url', 'fork', 'default_branch'];
    const kept = repo && { ...picked(repo, names), owner: picked(repo.owner, ['login', 'id']) };
    return { ...rest, repo: kept };
  };
  return { ...pull, base: side(pull.base), head: side(pull.head) };
}

/** All rows of a template, by the API, with the token that the page holds. */
async function allRows<T>(page: Page, url: string, path: string): Promise<T[]> {
  const token = await page.evaluate(() => JSON.parse(localStorage.getItem('dd-authToken') ?? '""') as string);
  const rows: T[] = [];
  for (let number = 1; ; number++) {
    const answer = await page.request.get(`${url}${path}?page=${number}`, {
      headers: { authorization: token },
    });
    const { results, count } = (await answer.json()) as Rows<T>;
    rows.push(...results);
    if (rows.length >= count || results.length === 0) return rows;
  }
}

/** The same with the noise that two readers of headers may differ in taken out. */
function plain(text: string | undefined): string {
  return (text ?? '').replaceAll(/\s+/g, ' ').trim();
}

/** Message-ID and the ASCII part of the subject: what every reader agrees upon. */
function keyOf(id: string | undefined, subject: string | undefined): string {
  return `${plain(id)} ${plain(subject).replaceAll(/[^\x20-\x7e]/g, '')}`;
}

test('keeps 1,000 real mails and all recorded pull requests complete and unchanged', async ({
  page,
  datadeck,
}) => {
  test.setTimeout(600_000);
  await signIn(page, datadeck, 'folder@sandbox.example');
  await datadeck.admin('plan', 'folder@sandbox.example', 'pro');
  await page.reload();
  await connectBoth(page, { google: 'folder@sandbox.example', github: 'ada-nowak' });
  await openPage(page, 'Synchronizations');
  await syncEntity(page, 'Labels');
  await syncEntity(page, 'Messages', { 'Label IDs': 'INBOX' });
  await syncEntity(page, 'Pull Requests', {
    'Repository owner username': 'recorded',
    'Repository name': 'all-pulls',
  });

  const stored = await allRows<Message>(
    page,
    datadeck.url,
    '/api/integrations/entities/aggregation/gmail-messages/messages-all',
  );
  const files = readdirSync(mails).filter((name) => name.endsWith('.eml'));
  expect(files).toHaveLength(1000);
  expect(stored).toHaveLength(1000);
  expect(new Set(stored.map((message) => message.id)).size).toBe(1000);
  const byKey = new Map(stored.map((message) => [keyOf(message.messageId, message.subject), message]));
  const read = await Promise.all(files.map((name) => PostalMime.parse(readFileSync(join(mails, name)))));
  let differingBodies = 0;
  for (const mail of read) {
    const message = byKey.get(keyOf(mail.messageId, mail.subject));
    expect(message, `${mail.messageId} ${mail.subject}`).toBeDefined();
    // postal-mime replaces undeclared 8-bit bytes by U+FFFD, where our parser may keep more; otherwise both must agree.
    if (!mail.subject?.includes('\ufffd')) expect(plain(message?.subject)).toBe(plain(mail.subject));
    const body = plain(mail.text) || plain(mail.html);
    // Nor does postal-mime join the quoted lines of flowed texts (RFC 3676, 4.5).
    const type = mail.headers.find(({ key }) => key === 'content-type')?.value ?? '';
    if (body.includes('\ufffd') || /format="?flowed/i.test(type)) continue;
    if (![plain(message?.text), plain(message?.html)].includes(body)) differingBodies++;
  }
  console.log(`bodies that differ from postal-mime's reading: ${differingBodies} of ${read.length}`);
  expect(differingBodies).toBeLessThan(5);

  const recorded = new Map<number, Pull[]>();
  for (const name of readdirSync(pulls)) {
    for (const pull of JSON.parse(readFileSync(join(pulls, name), 'utf8')) as Pull[]) {
      recorded.set(pull.id, [...(recorded.get(pull.id) ?? []), keptOf(pull)]);
    }
  }
  const kept = await allRows<Pull>(
    page,
    datadeck.url,
    '/api/integrations/entities/aggregation/gh-pulls/pulls-all',
  );
  expect(kept.map((pull) => pull.id).sort()).toEqual([...recorded.keys()].sort());
  for (const { account, accounts, ...pull } of kept) {
    expect([account, accounts]).toEqual(['ada-nowak', ['ada-nowak']]);
    expect(recorded.get(pull.id)).toContainEqual(pull);
  }

  await openPage(page, 'Query');
  await runTemplate(page, 'GitHub', 'Pull Requests', 'Pull requests by author');
  const authors = new Set(
    [...recorded.values()].map(
      (versions) => (versions[0]?.user as { login: string } | null)?.login ?? 'ghost',
    ),
  );
  await expect(page.getByText(`${authors.size} results`)).toBeVisible();
});
