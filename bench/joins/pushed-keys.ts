import { chainOf, findView } from '../../packages/server/src/features/views/graph.ts';
import { planOf } from '../../packages/server/src/features/views/plan.ts';
import { Client, startTestServer } from '../../packages/server/test-support/test-server.ts';
import { insertOf, MESSAGES, PULLS, type RowSource } from '../growth/rows.ts';

const ADA = 'ada.nowak@sandbox.example';
const KEYS = [5, 1000] as const;
const ROUNDS = 3;
const EXPRESSION =
  '$pulls@$p[number <= $most].$mails@$m[$m.threadId = "t" & $p.number].{"number": $p.number, "subject": $m.subject}';

/** One way to read a view, ms; undefined where it is refused. */
interface Figure {
  first: number | undefined;
  next: number | undefined;
  rows: number | undefined;
}

/** The best of several rounds with and without the selection by keys. */
export interface PushedKeys {
  keys: number;
  pushed: Figure;
  whole: Figure;
}

/**
 * Measures a view that joins 5 and 1,000 pull requests with many mails: its first page after a change of the data, and the
 * next one, on a real server, with and without the selection of the mails by the keys of the pull requests.
 */
export async function measurePushedKeys(mails: number): Promise<PushedKeys[]> {
  const server = await startTestServer({}, { hasOwnPostgres: true });
  const { context, registry } = server.product;
  const { $client } = context.db;

  async function insert(source: RowSource, count: number): Promise<void> {
    const client = await $client.connect();
    try {
      // Without the rows of the search.
      await client.query('begin; set local session_replication_role = replica');
      await client.query(insertOf(source), [1, count]);
      await client.query('commit');
    } finally {
      client.release();
    }
    await client.query(`vacuum analyze ${source.table}`).catch(() => undefined);
  }

  /** Increments the data versions, as syncs do. */
  async function touch({ provider, entity, extraction }: RowSource, count: number): Promise<void> {
    await $client.query(`
      insert into record_versions (user_id, connection_id, entity, version, records, extraction)
      select user_id, id, '${entity}', 1, ${count}, ${extraction} from connections where provider = '${provider}'
      on conflict (user_id, connection_id, entity) do update set version = record_versions.version + 1`);
  }

  const sources = [
    { source: PULLS, count: Math.max(...KEYS) },
    { source: MESSAGES, count: mails },
  ] as const;

  async function measure(
    views: Parameters<typeof planOf>[2]['views'],
    userId: string,
    most: number,
    minRows: number,
  ) {
    const times: [number, number][] = [];
    const figure: Figure = { first: undefined, next: undefined, rows: undefined };
    const read = async (offset: number): Promise<number> => {
      const begun = performance.now();
      const asked = { userId, bindings: { most }, urgency: 'saved' as const };
      const { rows, plan } = await planOf(context, registry, { ...asked, account: '', views, minRows });
      const page = await context.evaluation.page(
        { ...asked, rows: rows.set, plan, chain: [] },
        { offset, limit: 20 },
      );
      figure.rows = page.count;
      return performance.now() - begun;
    };
    try {
      for (let round = 0; round < ROUNDS; round++) {
        for (const { source, count } of sources) await touch(source, count);
        times.push([await read(0), await read(20)]);
      }
      figure.first = Math.round(Math.min(...times.map(([ms]) => ms)));
      figure.next = Math.round(Math.min(...times.map(([, ms]) => ms)));
    } catch (error) {
      console.log((error as Error).message);
    }
    return figure;
  }

  try {
    const ada = await new Client(server).signIn(ADA);
    await ada.connect('google', ADA);
    await ada.connect('github', 'ada-nowak');
    for (const { source, count } of sources) {
      await insert(source, count);
      await touch(source, count);
    }
    const bases = [
      { name: 'pulls', providerId: 'github', entityLabel: 'gh-pulls', templateKey: 'pulls-all' },
      { name: 'mails', providerId: 'google', entityLabel: 'gmail-messages', templateKey: 'messages-all' },
    ];
    const { name: _name, ...first } = bases[0] as (typeof bases)[number];
    const { _id } = await ada.post<{ _id: string }>('/api/data/views', {
      ...{ title: 'Joined', description: 'd', ...first, bases, jsonNataQuery: EXPRESSION },
      parameters: [{ name: 'most', type: 'number', default: 5 }],
    });
    const { rows } = await $client.query<{ user_id: string }>('select user_id from views where id = $1', [
      _id,
    ]);
    const userId = rows[0]?.user_id ?? '';
    const views = await chainOf(context.db, userId, await findView(context.db, userId, _id));
    const found: PushedKeys[] = [];
    for (const keys of KEYS)
      found.push({
        keys,
        pushed: await measure(views, userId, keys, 1),
        whole: await measure(views, userId, keys, Number.POSITIVE_INFINITY),
      });
    return found;
  } finally {
    await server.remove();
  }
}
