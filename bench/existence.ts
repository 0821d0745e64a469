/**
 * `node bench/existence.ts [rounds]`: asks by a token for ids that exist for another user and for ids that nobody has, and by
 * tokens that are unknown, expired and revoked, in random order. Prints the median times and how often the one takes longer
 * than the other: 50 % when times show no difference. `z` beyond 4 is a difference.
 */

import { runSync } from '../packages/server/test-support/syncing.ts';
import { Client, startTestServer, type TestServer } from '../packages/server/test-support/test-server.ts';
import { percentile } from './percentile.ts';

const ROUNDS = Number(process.argv[2] ?? 2000);
/** Rounds that are not measured: the process compiles its code first. */
const WARM_UP = 200;
const PULLS = 'github/gh-pulls';
const MISSING = '6d0c2d0e-3c5e-4a59-8f0d-0d2a3b9c7e10';

/** Two requests that must take equally long. */
interface Pair {
  name: string;
  requests: readonly [path: string, token: string][];
}

/** Creates objects of one user. @returns their ids */
async function createObjects(owner: Client) {
  await owner.connect('github', 'ada-nowak');
  const { _id: sync } = await runSync(owner, 'gh-pulls', { owner: 'ada-nowak', repo: 'dotfiles' });
  const { _id: view } = await owner.post<{ _id: string }>('/api/data/views', {
    title: 'Open ones',
    description: 'Open pull requests',
    jsonNataQuery: '$[state = "open"]',
    providerId: 'github',
    entityLabel: 'gh-pulls',
    templateKey: 'pulls-all',
  });
  const { _id: alert } = await owner.post<{ _id: string }>('/api/data/alerts', {
    viewId: view,
    kinds: ['appeared'],
    digest: 'each',
    bell: true,
    email: false,
  });
  const { results } = await owner.get<{ results: { recordId: string }[] }>('/api/data/search');
  return { sync, view, alert, record: results[0]?.recordId ?? '' };
}

function createToken(user: Client): Promise<{ _id: string; token: string }> {
  return user.post('/api/accounts/tokens', { name: 'bench', scope: 'manage', expiresInDays: 1 });
}

/** Pairs of an id of another user and an id that does not exist. */
async function idPairs(owner: Client, stranger: Client): Promise<Pair[]> {
  const { sync, view, alert, record } = await createObjects(owner);
  const { token } = await createToken(stranger);
  const pair = (name: string, id: string, pathOf: (id: string) => string): Pair => ({
    name,
    requests: [
      [pathOf(id), token],
      [pathOf(id === record ? '1' : MISSING), token],
    ],
  });
  return [
    pair('rows of a view', view, (id) => `/api/data/views/aggregate/${id}`),
    pair('download of a view', view, (id) => `/api/data/views/download/${id}`),
    pair('changes of a sync', sync, (id) => `/api/integrations/synchronizations/${id}/changes`),
    pair(
      'change of a record',
      sync,
      (id) => `/api/integrations/synchronizations/${id}/changes/record?record=1`,
    ),
    pair('deliveries of an alert', alert, (id) => `/api/data/alerts/deliveries?alert=${id}`),
    pair('record', record, (id) => `/api/data/records/${PULLS}?record=${id}`),
    pair('versions of a record', record, (id) => `/api/integrations/entities/versions/${PULLS}?record=${id}`),
  ];
}

/** Pairs of tokens that are not valid, for different reasons. */
async function tokenPairs(server: TestServer, user: Client): Promise<Pair[]> {
  const [valid, expired, revoked] = [
    await createToken(user),
    await createToken(user),
    await createToken(user),
  ];
  await server.product.context.db.$client.query(
    "update api_tokens set expires_at = now() - interval '1 day' where id = $1",
    [expired._id],
  );
  await user.json('DELETE', `/api/accounts/tokens/${revoked._id}`);
  const unknown = `${valid.token.slice(0, -8)}AAAAAAAA`;
  const ofNobody = `ddt_${MISSING.replaceAll('-', '')}${valid.token.slice(36)}`;
  const path = '/api/accounts';
  const pair = (name: string, one: string, other: string): Pair => ({
    name,
    requests: [
      [path, one],
      [path, other],
    ],
  });
  return [
    pair('token: expired, unknown', expired.token, unknown),
    pair('token: revoked, unknown', revoked.token, unknown),
    pair('token: of a user, of nobody', unknown, ofNobody),
  ];
}

async function time(url: string, token: string): Promise<{ ms: number; answer: string }> {
  const begun = performance.now();
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const text = await response.text();
  return { ms: performance.now() - begun, answer: `${response.status} ${text}` };
}

/** Returns the share of comparisons in which a value of `one` is larger than one of `other` (Mann-Whitney), and its z. */
function compare(one: readonly number[], other: readonly number[]): { share: number; z: number } {
  const all = [...one.map((ms) => ({ ms, isOne: true })), ...other.map((ms) => ({ ms, isOne: false }))];
  all.sort((left, right) => left.ms - right.ms);
  let ranks = 0;
  for (const [index, { isOne }] of all.entries()) if (isOne) ranks += index + 1;
  const [n, m] = [one.length, other.length];
  const share = (ranks - (n * (n + 1)) / 2) / (n * m);
  return { share, z: (share - 0.5) / Math.sqrt((n + m + 1) / (12 * n * m)) };
}

async function measure(server: TestServer, pairs: readonly Pair[]): Promise<void> {
  const times = pairs.map((): [number[], number[]] => [[], []]);
  for (let round = -WARM_UP; round < ROUNDS; round++)
    for (const [index, { name, requests }] of pairs.entries()) {
      const first = Math.random() < 0.5 ? 0 : 1;
      const answers = ['', ''];
      for (const which of [first, 1 - first]) {
        const [path, token] = requests[which] as [string, string];
        const { ms, answer } = await time(server.url + path, token);
        answers[which] = answer;
        if (round >= 0) times[index]?.[which]?.push(ms);
      }
      if (answers[0] !== answers[1]) throw new Error(`${name}: ${answers.join(' | ')}`);
    }
  console.log(`${''.padEnd(30)}${'median ms'.padEnd(18)}longer      z   (${ROUNDS} rounds)`);
  for (const [index, { name }] of pairs.entries()) {
    const [one, other] = times[index] as [number[], number[]];
    const { share, z } = compare(one, other);
    const medians = [one, other].map((values) => percentile(values, 0.5).toFixed(2)).join('  ');
    console.log(
      `${name.padEnd(30)}${medians.padEnd(18)}${(share * 100).toFixed(1)} %  ${z.toFixed(1).padStart(5)}`,
    );
  }
}

const server = await startTestServer({}, { hasOwnPostgres: true });
const owner = await new Client(server).signIn('ada.nowak@sandbox.example');
const stranger = await new Client(server).signIn('jonas.weber@sandbox.example');
await measure(server, [...(await idPairs(owner, stranger)), ...(await tokenPairs(server, stranger))]);
await server.remove();
