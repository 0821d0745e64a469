import type pg from 'pg';
import { insertOf, PULLS } from '../growth/rows.ts';

/** Accounts that one statement fills. */
const BATCH = 100;

/** An account without stored pull requests, in SQL. */
const IS_EMPTY = `not exists (select from record_versions v where v.user_id = c.user_id and v.entity = '${PULLS.entity}')`;
const IS_IN_BATCH = `c.user_id between $3 and $4 and ${IS_EMPTY}`;

/** Adds accounts up to this number, each with a connection to GitHub. */
export async function addAccounts(pool: pg.Pool, accounts: number): Promise<void> {
  await pool.query(
    `insert into users (id, name, email, plan, sign_in_provider)
    select gen_random_uuid(), 'User ' || i, 'user' || i || '@bench.example', 'standard', 'google'
    from generate_series((select count(*) + 1 from users), $1::int) i`,
    [accounts],
  );
  await pool.query(
    `insert into connections (user_id, id, provider, subject, account, status, is_shown)
    select id, gen_random_uuid(), 'github', id::text, email, 'connected', true from users u
    where not exists (select from connections c where c.user_id = u.id and c.provider = 'github')`,
  );
}

/** Stores pull requests of about 1 KB for every account that has none, as a sync leaves them: counted, with statistics. */
export async function fillAccounts(pool: pg.Pool, records: number): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    `select user_id as id from connections c where provider = 'github' and ${IS_EMPTY} order by user_id`,
  );
  const batches = Array.from({ length: Math.ceil(rows.length / BATCH) }, (_, batch) =>
    rows.slice(batch * BATCH, (batch + 1) * BATCH),
  ).values();
  const some = async () => {
    for (const batch of batches) {
      const range = [batch[0]?.id, batch.at(-1)?.id];
      await pool.query(insertOf(PULLS, IS_IN_BATCH), [1, records, ...range]);
      await pool.query(
        `insert into record_versions (user_id, connection_id, entity, version, records, extraction)
        select user_id, id, '${PULLS.entity}', 1, $1, $2 from connections c where provider = 'github' and ${IS_IN_BATCH}`,
        [records, PULLS.extraction, ...range],
      );
    }
  };
  await Promise.all([some(), some()]);
  await pool.query(`vacuum (analyze) ${PULLS.table}`);
  await pool.query('vacuum (analyze) record_versions');
  await pool.query('analyze');
}
