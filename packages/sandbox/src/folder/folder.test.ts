import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type StartedSandbox, startSandbox } from '@datadeck/test-sandbox';
import PostalMime from 'postal-mime';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask, signInWithGoogle } from '../../test-support/sign-in.ts';
import { filesUnder } from './read-mail-folder.ts';

interface Message {
  id: string;
  labelIds: string[];
  snippet: string;
  payload: { headers: { name: string; value: string }[] };
}
interface Pull {
  id: number;
  number: number;
  updated_at: string;
  base: { repo: { full_name: string } };
}

const data = fileURLToPath(new URL('../../../../../shared/data', import.meta.url));
let folder: string;
let sandbox: StartedSandbox | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox folder '));
});
afterEach(async () => {
  await sandbox?.close();
  sandbox = undefined;
  rmSync(folder, { recursive: true });
});

async function open(): Promise<(path: string) => Promise<Response>> {
  sandbox = await startSandbox({ folder, quotaScale: 0 });
  const { tokens } = await signInWithGoogle(sandbox, { account: 'folder@sandbox.example' });
  const { gmailApiUrl, githubApiUrl } = sandbox.urls();
  return (path) =>
    path.startsWith('/gmail/')
      ? ask(`${gmailApiUrl}${path}`, tokens.access_token)
      : fetch(`${githubApiUrl}${path}`);
}

async function json<Body>(response: Promise<Response>): Promise<Body> {
  return (await response).json() as Promise<Body>;
}

async function listIds(get: (path: string) => Promise<Response>): Promise<string[]> {
  const ids: string[] = [];
  let token = '';
  do {
    const page = await json<{ messages?: { id: string }[]; nextPageToken?: string }>(
      get(`/gmail/v1/users/me/messages?labelIds=INBOX&maxResults=500${token}`),
    );
    ids.push(...(page.messages ?? []).map(({ id }) => id));
    token = page.nextPageToken === undefined ? '' : `&pageToken=${page.nextPageToken}`;
  } while (token !== '');
  return ids;
}

async function listPulls(get: (path: string) => Promise<Response>, repository: string): Promise<Pull[]> {
  const pulls: Pull[] = [];
  for (let page = 1; ; page += 1) {
    const found = await json<Pull[]>(
      get(`/repos/${repository}/pulls?state=all&sort=created&direction=asc&per_page=100&page=${page}`),
    );
    pulls.push(...found);
    if (found.length < 100) return pulls;
  }
}

describe('folder of mails and pull requests', () => {
  it('becomes a mailbox with a label per subfolder, and repositories', async () => {
    mkdirSync(join(folder, 'Bills', '2024'), { recursive: true });
    writeFileSync(
      join(folder, 'one.eml'),
      'Subject: One\r\nDate: Mon, 05 Feb 2024 10:00:00 +0100\r\n\r\nFirst.',
    );
    writeFileSync(
      join(folder, 'Bills', '2024', 'two.EML'),
      'Subject: Two\nDate: Tue, 06 Feb 2024 10:00:00 +0100\n\nSecond.',
    );
    writeFileSync(join(folder, 'broken.eml'), Buffer.from([0xff, 0xfe, 0x00, 0x01, 0x80]));
    writeFileSync(join(folder, 'empty.eml'), '');
    writeFileSync(join(folder, 'other.json'), '{"not": "pulls"}');
    writeFileSync(join(folder, 'bad.json'), '[{]');
    const pull = (updated: string, more = {}) => ({
      id: 7,
      number: 3,
      state: 'open',
      created_at: '2024-01-01T00:00:00Z',
      updated_at: updated,
      base: { ref: 'main', repo: { id: 1, full_name: 'a/b' } },
      head: {},
      ...more,
    });
    writeFileSync(
      join(folder, 'pulls.json'),
      JSON.stringify([
        pull('2024-02-02T00:00:00Z'),
        pull('2024-03-03T00:00:00Z'),
        { ...pull('2024-01-01T00:00:00Z'), id: 8, base: { repo: null } },
      ]),
    );
    writeFileSync(
      join(folder, 'more.json'),
      JSON.stringify([pull('2024-03-03T00:00:00Z', { mergeable: true })]),
    );
    const get = await open();
    const ids = await listIds(get);
    expect(ids).toHaveLength(4);

    const messages = await Promise.all(
      ids.map((id) => json<Message>(get(`/gmail/v1/users/me/messages/${id}`))),
    );
    expect(messages.map((message) => message.snippet)).toEqual(expect.arrayContaining(['First.', 'Second.']));

    const second = messages.find((message) => message.snippet === 'Second.');
    const { labels } = await json<{ labels: { id: string; name: string }[] }>(
      get('/gmail/v1/users/me/labels'),
    );
    expect(labels.filter(({ id }) => second?.labelIds.includes(id)).map(({ name }) => name)).toEqual([
      'INBOX',
      'Bills/2024',
    ]);
    expect(await listPulls(get, 'a/b')).toEqual([pull('2024-03-03T00:00:00Z', { mergeable: true })]);
    expect((await listPulls(get, 'recorded/all-pulls')).map(({ id }) => id)).toEqual([7, 8]);
    expect((await get('/repos/aurora-labs/harbor')).status).toBe(404);
  });
});

describe.skipIf(!existsSync(data))('folder of recorded data', () => {
  it('serves 1,000 real mails with the subjects that PostalMime reads', async () => {
    execFileSync('tar', ['-xJf', join(data, 'rfc822/spamassassin-1000.tar.xz'), '-C', folder]);
    const get = await open();
    const ids = await listIds(get);
    expect(new Set(ids).size).toBe(1000);

    const subjects: string[] = [];
    for (const id of ids) {
      const response = await get(`/gmail/v1/users/me/messages/${id}?format=metadata`);
      expect(response.status).toBe(200);
      const { payload } = (await response.json()) as Message;
      subjects.push(payload.headers.find(({ name }) => name.toLowerCase() === 'subject')?.value ?? '');
    }
    const expected: string[] = [];
    for (const file of filesUnder(folder, '.eml'))
      expected.push((await PostalMime.parse(readFileSync(file))).subject ?? '');
    const plain = (text: string) => text.replace(/[\s\uFFFD]+/g, ' ').trim();
    const missing = subjects.map(plain).filter((subject) => !expected.map(plain).includes(subject));
    expect(missing.filter((subject) => /^[\x20-\x7e]*$/.test(subject))).toEqual([]);
    expect(missing.length).toBeLessThan(12);
  });

  it('serves the latest recording of each of 395 pull requests unchanged', async () => {
    for (const name of ['recorded-list.json', 'recorded-single.json'])
      writeFileSync(join(folder, name), readFileSync(join(data, 'github-pulls', name)));
    const get = await open();
    const pulls = await listPulls(get, 'recorded/all-pulls');
    expect(pulls).toHaveLength(395);

    const files = ['recorded-list.json', 'recorded-single.json'].flatMap(
      (name) => JSON.parse(readFileSync(join(data, 'github-pulls', name), 'utf8')) as Pull[],
    );
    const best = new Map<number, Pull>();
    for (const pull of files) {
      const known = best.get(pull.id);
      const isLater = !known || pull.updated_at > known.updated_at;
      if (
        isLater ||
        (pull.updated_at === known.updated_at && Object.keys(pull).length > Object.keys(known).length)
      )
        best.set(pull.id, pull);
    }
    expect(new Map(pulls.map((pull) => [pull.id, pull]))).toEqual(
      new Map([...best].sort(([one], [other]) => one - other)),
    );
    expect(
      (await listPulls(get, 'PyGithub/PyGithub')).every(
        (pull) => pull.base.repo.full_name === 'PyGithub/PyGithub',
      ),
    ).toBe(true);
  });
});
