import { FACET_VALUES, type FacetName, type SearchFacets, type SearchResults } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../../test-support/seeded-random.ts';
import { shareServer } from '../../../test-support/shared-server.ts';
import { awaitEnd, SYNCS } from '../../../test-support/syncing.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';

const ADA = 'ada.nowak@sandbox.example';
const JONAS = 'jonas.weber@sandbox.example';
const PULLS = { owner: 'ada-nowak', repo: 'dotfiles' };
let server: TestServer;
let ada: Client;

/** What a search is narrowed by: a value of a field of the request, or values of operators. */
type Choices = Partial<Record<FacetName, readonly string[]>>;

const OPERATORS: Partial<Record<FacetName, string>> = { state: 'is' };
const quoted = (value: string) => `"${value.replaceAll('"', ' ')}"`;

/** Writes a choice of one facet, as the search page writes it. */
function written(facet: FacetName, values: readonly string[]): string {
  if (facet === 'month')
    return values.flatMap((value) => [`after:${value}`, `before:${next(value)}`]).join(' ');
  const operator = OPERATORS[facet] ?? facet;
  return values.length === 1
    ? `${operator}:${quoted(values[0] ?? '')}`
    : `${operator}:{${values.map(quoted).join(' ')}}`;
}

/** Returns the month or year after one. */
function next(period: string): string {
  const [year = 0, month] = period.split('-').map(Number);
  return month === undefined
    ? String(year + 1)
    : new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 7);
}

async function facetsOf(words: string, choices: Choices): Promise<SearchFacets> {
  const { provider, entity, ...others } = choices;
  const texts = Object.entries(others).map(([name, values]) => written(name as FacetName, values));
  const request: Record<string, string> = {
    q: [...texts, words].join(' '),
    facets: 'true',
    ...(provider?.[0] && { providerId: provider[0] }),
    ...(entity?.[0] && { entityLabel: entity[0] }),
  };
  const { facets } = await ada.get<SearchResults>(`/api/data/search?${new URLSearchParams(request)}`);
  return facets as SearchFacets;
}

const valuesOf = ({ facets }: SearchFacets, wanted: FacetName) =>
  facets.find(({ name }) => name === wanted)?.values ?? [];

async function sync(entityLabel: string, account: string, entitySettings: Record<string, string> = {}) {
  const providerId = entityLabel.startsWith('gh-') ? 'github' : 'google';
  const { _id } = await ada.post<{ _id: string }>(SYNCS, {
    providerId,
    entityLabel,
    account,
    entitySettings,
  });
  expect(await awaitEnd(ada, _id)).toMatchObject({ status: 'finished' });
}

beforeAll(async () => {
  server = await shareServer();
  ada = await new Client(server).signIn(ADA);
  await ada.connect('google', ADA);
  await ada.connect('github', 'ada-nowak');
  await ada.returnFromConsent('google', JONAS, { add: '1' });
  await ada.returnFromConsent('github', 'jonas-weber', { add: '1' });
  for (const account of [ADA, JONAS]) {
    await sync('gmail-labels', account);
    await sync('gmail-messages', account, { labelIds: 'INBOX,SENT' });
  }
  for (const account of ['ada-nowak', 'jonas-weber']) await sync('gh-pulls', account, PULLS);
  // Names that differ by case and accents, and names with signs of the language; copies that differ between the accounts.
  await server.product.context.db.$client.query(`
    update gmail_labels set name = case id when 'Label_1' then 'Zażółć (a)' when 'Label_2' then 'OR {b}' else name end;
    update gh_pulls set hash = hash || 'x', draft = number % 4 = 0, labels = labels || case number % 4
      when 0 then '{Bug}' when 1 then '{bug}' when 2 then '{Größe,to do}' else '{grosse,-x}' end::text[];
    update gh_pulls set hash = hash || 'x', updated_at = updated_at + interval '1 day', draft = not draft, labels = '{bug,Later}'
      where number % 3 = 0 and connection_id = (select min(connection_id::text)::uuid from gh_pulls);
    update gmail_messages set hash = hash || 'x', occurred_at = occurred_at - interval '9 years' where id like '%7'`);
}, 120_000);
afterAll(() => server?.remove());

/** Returns up to `count` random ones of some values. */
function some<Value>(random: () => number, values: readonly Value[], count: number): Value[] {
  return values.toSorted(() => random() - 0.5).slice(0, count);
}

const FACETS: readonly FacetName[] = [
  'provider',
  'entity',
  'account',
  'state',
  'repo',
  'from',
  'author',
  'label',
  'has',
  'month',
];
const ALONE: readonly FacetName[] = ['provider', 'entity', 'month'];
const WORDS = [
  '',
  'the',
  'harbor',
  'is:unread',
  'newer_than:1y',
  '-label:bug',
  'in:inbox OR is:merged',
  'arbo',
];

describe('facets of a narrowed search', () => {
  it.each([1, 2, 3])('count what the search finds when the value is chosen (seed %i)', async (seed) => {
    const random = seededRandom(seed);
    for (let round = 0; round < 8; round++) {
      const words = some(random, WORDS, 1)[0] ?? '';
      const known = await facetsOf(words, {});
      const choices: Choices = {};
      for (const name of some(random, FACETS, Math.floor(random() * 4))) {
        const values = valuesOf(known, name).map(({ value }) => value);
        const chosen = some(random, values, ALONE.includes(name) ? 1 : 1 + Math.floor(random() * 2));
        if (chosen.length > 0) choices[name] = chosen;
      }
      const found = await facetsOf(words, choices);
      for (const { name, values } of found.facets) {
        for (const { value, count } of some(random, values, 2)) {
          const alone: Choices = { ...choices, [name]: [value] };
          if (name === 'provider') alone.entity = [];
          if (name === 'entity') alone.provider = [];
          const clicked = await facetsOf(words, alone);
          expect(clicked.count, JSON.stringify({ words, choices, name, value })).toBe(count);
        }
      }
      for (const [name, chosen] of Object.entries(choices)) {
        // Who chooses another provider leaves the entity, too.
        if (name === 'provider' || name === 'entity') continue;
        const counts = valuesOf(found, name as FacetName).filter(({ value }) => chosen.includes(value));
        const sum = counts.reduce((total, { count }) => total + count, 0);
        const message = JSON.stringify({ words, choices, name });
        expect(found.count, message).toBeLessThanOrEqual(sum);
        if (chosen.length === 1) expect(found.count, message).toBe(sum);
        // Of a record that both accounts have, only the newest copy is found.
        else if (name !== 'account')
          expect(found.count, message).toBeGreaterThanOrEqual(
            Math.max(...counts.map(({ count }) => count), 0),
          );
      }
    }
  });

  it('keep the other values of a chosen facet, and count several values by any of them', async () => {
    const all = await facetsOf('', {});
    const labels = valuesOf(all, 'label');
    const [first, second] = ['INBOX', 'bug'] as const;
    const narrowed = await facetsOf('', { label: [first] });
    const both = await facetsOf('', { label: [first, second] });

    expect(valuesOf(narrowed, 'label')).toEqual(labels);
    // Beside the most frequent ones, those that are chosen.
    const bugs = valuesOf(both, 'label').find(({ value }) => value.toLowerCase() === second);
    expect(labels).toHaveLength(FACET_VALUES);
    expect(valuesOf(both, 'label')).toEqual([...labels, bugs]);
    expect(narrowed.count).toBe(labels.find(({ value }) => value === first)?.count);
    expect(both.count).toBe(narrowed.count + (bugs?.count ?? 0));
  });

  it.each(['Größe', 'größe', 'GROSSE', 'grosse'])(
    'keep a rare chosen value, written as %s',
    async (label) => {
      const values = valuesOf(await facetsOf('', { label: ['INBOX', label] }), 'label');
      expect(values.length).toBeGreaterThan(FACET_VALUES);
      expect(values.map(({ value }) => value)).toContainEqual(expect.stringMatching(/^gr(ö|o)(ß|ss)e$/i));
    },
  );

  it('keep the values of a chosen provider, also of a search that finds nothing', async () => {
    const all = await facetsOf('', {});
    expect(valuesOf(await facetsOf('', { provider: ['github'] }), 'provider')).toEqual(
      valuesOf(all, 'provider'),
    );

    const nothing = await facetsOf('', { month: ['2001-05'] });

    expect(nothing).toEqual({
      facets: [{ name: 'month', values: valuesOf(all, 'month') }],
      count: 0,
      isLimited: false,
    });
  });

  it('count states, repositories and mails with attachments', async () => {
    const { facets } = await facetsOf('', {});
    const rows = async (select: string) =>
      (await server.product.context.db.$client.query<{ value: string; count: number }>(select)).rows;
    const pulls = `(select distinct on (id) * from gh_pulls order by id, updated_at desc, connection_id desc) r`;
    const count = `count(*) filter`;
    const [states] =
      await rows(`select ${count} (where state = 'open')::int as open, ${count} (where state = 'closed')::int as closed,
      ${count} (where merged_at is not null)::int as merged, ${count} (where draft)::int as draft from ${pulls}`);
    const found = (wanted: FacetName) =>
      Object.fromEntries(
        facets.find(({ name }) => name === wanted)?.values.map(({ value, count: of }) => [value, of]) ?? [],
      );
    expect({ open: 0, closed: 0, merged: 0, draft: 0, ...found('state') }).toEqual(states);
    const [repository] = await rows(
      `select repository as value, count(*)::int as count from ${pulls} group by 1`,
    );
    expect(found('repo')).toEqual({ [repository?.value ?? '']: repository?.count });
    const [files] = await rows(
      `select 'a' as value, count(*)::int as count from gmail_messages where attachments > 0`,
    );
    expect(found('has')).toEqual({ attachment: files?.count });
  });
});
