import { type AllViews, BOUNDS, type SavedQuery, type View } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUser } from '../../test-support/new-user.ts';
import { shareServer } from '../../test-support/shared-server.ts';
import { Client, type TestServer } from '../../test-support/test-server.ts';

let server: TestServer;
let ada: Client;
const LONG_MS = 120_000;

beforeAll(async () => {
  server = await shareServer();
  ada = await newUser(server, 'ada');
});
afterAll(() => server?.remove());

interface Refusal {
  status: number;
  error: { code: string; message: string; fields?: Record<string, string> } | undefined;
}

async function outcomeOf(client: Client, path: string, body: unknown, method = 'POST'): Promise<Refusal> {
  const response = await client.call(method, path, body);
  const { error } = (await response.json()) as Pick<Refusal, 'error'>;
  return { status: response.status, error };
}

const VIEW = {
  title: 'View',
  description: 'View',
  jsonNataQuery: '$',
  providerId: 'github',
  entityLabel: 'gh-pulls',
  templateKey: 'pulls-all',
};
const parametersOf = (level: number) =>
  Array.from({ length: 10 }, (_, n) => ({
    name: `p${level}_${n}`,
    type: 'text',
    default: 'x'.repeat(500),
  }));

describe('POST /api/data/views', () => {
  it('refuses an eleventh view on top of ten, whose list stays small', async () => {
    const ids: string[] = [];
    for (let level = 0; level < BOUNDS.viewDepth; level++) {
      const base = level === 0 ? {} : { templateKey: null, basedOn: ids.at(-1) };
      const view = { ...VIEW, ...base, parameters: parametersOf(level) };
      ids.push((await ada.post<View>('/api/data/views', view))._id);
    }

    expect(await outcomeOf(ada, '/api/data/views', { ...VIEW, basedOn: ids.at(-1) })).toEqual({
      status: 409,
      error: {
        code: 'limit-reached',
        message: expect.stringContaining('10 views'),
        fields: { basedOn: expect.stringContaining('10') },
      },
    });
    const list = await (await ada.call('GET', '/api/data/views')).text();
    expect(list).not.toContain('"inputs"');
    expect(list.length).toBeLessThan(BOUNDS.viewDepth * 8000);
  });

  it(
    'limits the number of views despite concurrent creations',
    async () => {
      const ben = await newUser(server, 'ben');
      const codes: (string | undefined)[] = [];
      for (let batch = 0; batch < 21; batch++) {
        const made = Array.from({ length: 10 }, () => outcomeOf(ben, '/api/data/views', VIEW));
        for (const { error } of await Promise.all(made)) codes.push(error?.code);
      }

      expect(codes.filter((code) => code === undefined)).toHaveLength(BOUNDS.viewsPerUser);
      expect(new Set(codes.filter((code) => code !== undefined))).toEqual(new Set(['limit-reached']));
      const list = await ben.get<View[]>('/api/data/views');
      expect(list).toHaveLength(BOUNDS.viewsPerUser);
      const pages = [1, 2, 3].map((page) => ben.get<AllViews>(`/api/data/views/all?page=${page}`));
      const [first, second, third] = await Promise.all(pages);
      expect([...(first?.results ?? []), ...(second?.results ?? [])]).toEqual(list);
      expect(first?.results).toHaveLength(BOUNDS.viewsPage);
      expect(third).toEqual({ results: [], count: BOUNDS.viewsPerUser });
    },
    LONG_MS,
  );
});

describe('POST /api/data/views/category', () => {
  // @covers 5.categories-share-title
  it('allows several categories with the same title', async () => {
    const eve = await newUser(server, 'eve');
    const make = () =>
      eve.post<{ _id: string; title: string }>('/api/data/views/category', { title: 'Same' });
    const [one, other] = [await make(), await make()];
    const third = await eve.post<{ _id: string }>('/api/data/views/category', { title: 'Third' });
    await eve.json('PUT', `/api/data/views/category/${third._id}`, { title: 'same' });
    const list = await eve.get<{ title: string }[]>('/api/data/views/categories');
    expect(list.map(({ title }) => title.toLowerCase())).toEqual(['same', 'same', 'same']);
    expect(one._id).not.toBe(other._id);
  });

  it('limits the number of categories despite concurrent creations', async () => {
    const made = Array.from({ length: BOUNDS.categoriesPerUser + 8 }, (_, n) =>
      outcomeOf(ada, '/api/data/views/category', { title: `Category ${n}` }),
    );
    const refused = (await Promise.all(made)).filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(8);
    expect(refused[0]).toMatchObject({
      status: 409,
      error: { code: 'limit-reached', fields: { title: expect.stringContaining('50') } },
    });
  });
});

describe('POST /api/data/jnata-queries', () => {
  const QUERIES = '/api/data/jnata-queries';
  const saved = (title: string, jsonNataQuery = '$') => ({ title, jsonNataQuery });

  it('refuses expressions longer than those of views', async () => {
    const longest = `"${'x'.repeat(BOUNDS.queryExpression - 2)}"`;
    expect(await outcomeOf(ada, QUERIES, saved('longest', longest))).toMatchObject({ status: 201 });
    expect(await outcomeOf(ada, QUERIES, saved('too long', `${longest} `))).toMatchObject({
      status: 422,
      error: { code: 'validation-failed', fields: { jsonNataQuery: expect.stringContaining('1500') } },
    });
  });

  it(
    'limits the number of queries, which are listed in pages',
    async () => {
      const cleo = await newUser(server, 'cleo');
      const codes: (string | undefined)[] = [];
      for (let batch = 0; batch < 21; batch++) {
        const made = Array.from({ length: 10 }, (_, n) =>
          outcomeOf(cleo, QUERIES, saved(`${batch} ${n}`, `"${'x'.repeat(1000)}"`)),
        );
        for (const { error } of await Promise.all(made)) codes.push(error?.code);
      }

      expect(codes.filter((code) => code === undefined)).toHaveLength(BOUNDS.queriesPerUser);
      expect(codes).toContain('limit-reached');
      const pages = await Promise.all(
        [1, 2, 3].map((page) => cleo.get<SavedQuery[]>(`${QUERIES}?page=${page}`)),
      );
      expect(pages.map(({ length }) => length)).toEqual([
        BOUNDS.queriesPage,
        BOUNDS.queriesPerUser - BOUNDS.queriesPage,
        0,
      ]);
      expect(new Set(pages.flat().map(({ _id }) => _id)).size).toBe(BOUNDS.queriesPerUser);
      expect(await cleo.get<SavedQuery[]>(QUERIES)).toEqual(pages[0]);
    },
    LONG_MS,
  );
});

describe('expression validation', () => {
  const OPENINGS = [
    ...[
      '(',
      '[',
      '{',
      '-',
      'a[',
      'a.',
      'a(',
      'a ? ',
      'a ?: ',
      'a ?? ',
      'function(){',
      'a ~> ',
      '"',
      "'",
      '`',
    ],
    ...[
      '/*',
      '/',
      '|',
      '%.',
      'a^(',
      'a{',
      'a@$b.',
      'a#$b.',
      '$f(',
      'λ($x){',
      '{"a":',
      '1+',
      'not(',
      'a and ',
    ],
    ...['[1..', '$[a and (', '$[(a=1 or ', '$[a=1 and [', '~>|a|', '$eval("', '\\', '&', '..', '**.'],
  ];
  const CLOSINGS: Record<string, string> = { '(': ')', '[': ']', '{': '}' };
  const closed = (opening: string, depth: number): string => {
    const close = [...opening].reverse().flatMap((mark) => CLOSINGS[mark] ?? []);
    return `${opening.repeat(depth)}a${close.join('').repeat(depth)}`;
  };

  async function requestsWithExpressions(user: Client): Promise<[string, string, Record<string, unknown>][]> {
    const view = await user.post<View>('/api/data/views', VIEW);
    const query = await user.post<SavedQuery>('/api/data/jnata-queries', { title: 'q', jsonNataQuery: '$' });
    return [
      ['POST', '/api/data/views', { ...VIEW, title: 'new' }],
      ['PUT', `/api/data/views/${view._id}`, { title: 'View', description: 'View' }],
      ['POST', '/api/data/jnata-queries', { title: 'new' }],
      ['PUT', `/api/data/jnata-queries/${query._id}`, { title: 'q' }],
    ];
  }

  it(
    'answers deep and malformed expressions with a clear error everywhere',
    async () => {
      // A user with records, so that the server analyses the expression for push-down.
      const demo = await new Client(server).demo();
      const live = { entryCollection: 'gh-pulls', templateKey: 'pulls-all' };
      const allowed = ['expression-invalid', 'query-too-complex', 'expression-failed', 'validation-failed'];
      const unclear: unknown[] = [];
      for (const [number, opening] of OPENINGS.entries()) {
        // A new user each time, because of the write limit per minute.
        const user = await newUser(server, `parser ${number}`);
        const requests = [
          ...(await requestsWithExpressions(user)),
          ['POST', '/api/data/query', live] as const,
        ];
        for (const expression of [
          opening.repeat(1333),
          opening.repeat(Math.floor(1400 / opening.length)),
          closed(opening, 200),
          closed(opening, 1999),
        ]) {
          for (const [method, path, body] of requests) {
            const { status, error } = await outcomeOf(
              path === '/api/data/query' ? demo : user,
              path,
              { ...body, jsonNataQuery: expression },
              method,
            );
            const isClear = status < 300 || (status === 422 && allowed.includes(error?.code ?? ''));
            if (!isClear) unclear.push([status, error, method, path, expression.slice(0, 40)]);
          }
        }
      }

      expect(unclear).toEqual([]);
    },
    LONG_MS,
  );

  it('refuses to save an expression that does not parse', async () => {
    const fields = { jsonNataQuery: expect.any(String) };
    const refused = { status: 422, error: { code: 'expression-invalid', fields } };
    expect(await outcomeOf(ada, '/api/data/views', { ...VIEW, jsonNataQuery: '$[' })).toMatchObject(refused);
    expect(
      await outcomeOf(ada, '/api/data/jnata-queries', { title: 'q', jsonNataQuery: 'a +' }),
    ).toMatchObject(refused);
  });
});
