import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Dovecot } from '../../packages/connectors/test-support/imap/index.ts';
import type { Sync } from '../../packages/contract/src/index.ts';
import { DelayingProxy } from '../../packages/server/test-support/delaying-proxy.ts';
import { SYNCS, until } from '../../packages/server/test-support/syncing.ts';
import { deliver, readSamples } from '../mailboxes.ts';
import { percentile } from '../percentile.ts';
import { AS_A_PAGE, type Trial, withProduct } from '../product.ts';

const PASSWORD = 'open sesame';

/** Time of a sync, s: from its request to its end, and of the processor. */
interface Measured {
  seconds: number;
  processor: number;
}

/** Pulls a mailbox from its first mail on. */
async function pull({ client, processorTimes }: Trial, mails: number): Promise<Measured> {
  const before = processorTimes();
  const request = { providerId: 'imap', entityLabel: 'imap-messages', entitySettings: { mailbox: 'INBOX' } };
  const { _id } = await client.post<Sync>(SYNCS, request);
  let sync: Sync | undefined;
  do {
    await sleep(AS_A_PAGE.everyMs);
    sync = (await client.get<Sync[]>(`${SYNCS}?providers=imap`)).find((one) => one._id === _id);
  } while (sync?.status === 'started');
  if (sync?.summary.added !== mails) throw new Error(`not ${mails} records: ${JSON.stringify(sync)}`);
  const after = processorTimes();
  return {
    seconds: (Date.parse(sync.updated_at) - Date.parse(sync.created_at)) / 1000,
    processor: after.product - before.product + after.database - before.database,
  };
}

/** Deletes the records, so that the next run adds all of them again. */
async function clear({ client }: Trial, pool: pg.Pool): Promise<void> {
  await client.post('/api/integrations/entities/delete-all-data?provider=imap');
  await until(async () => {
    const { rowCount } = await pool.query(
      'select from imap_messages union all select from search_entries limit 1',
    );
    return rowCount === 0;
  }, 600_000);
  await pool.query('vacuum imap_messages, search_entries, search_values');
}

/**
 * Pulls the same mailbox by IMAP with and without the triggers of the search, in turn.
 * @param roundTripMs delay between the product and the mail server, ms: 0 is a server on the same machine
 * @param samples folder that holds spamassassin-1000.tar.xz
 * @returns the median time with the triggers as a multiple of the time without them
 */
export async function measureSlowdown(
  samples: string,
  {
    folder,
    mails,
    rounds,
    roundTripMs,
  }: { folder: string; mails: number; rounds: number; roundTripMs: number },
): Promise<number> {
  const dovecot = await Dovecot.start({ ada: PASSWORD });
  const { proxy, url } = await DelayingProxy.open(`imap://127.0.0.1:${dovecot.ports.plain}`, roundTripMs);
  try {
    const sources = readSamples(samples, folder);
    const pulled = Array.from({ length: mails }, (_, place) => sources[place % sources.length] as Buffer);
    deliver(dovecot, 'ada', pulled);
    return await withProduct({ sandbox: [], settings: { CONNECT_HOSTS: '127.0.0.1' } }, async (trial) => {
      const { port } = new URL(url);
      const values = { host: '127.0.0.1', port, security: 'none', user: 'ada', password: PASSWORD };
      await trial.client.post('/api/integrations/connections/imap', { values });
      const pool = new pg.Pool({ ...trial.database, max: 1 });
      const times = { enable: [] as Measured[], disable: [] as Measured[] };
      try {
        // The first run warms up.
        for (let run = -1; run < 2 * rounds; run++) {
          // Each goes first in half of the rounds.
          const triggers = run % 4 === 0 || run % 4 === 3 ? 'enable' : 'disable';
          await pool.query(`alter table imap_messages ${triggers} trigger user`);
          const measured = await pull(trial, mails);
          if (run >= 0) times[triggers].push(measured);
          await pool.query('alter table imap_messages enable trigger user');
          await clear(trial, pool);
        }
      } finally {
        await pool.end();
      }
      const median = (list: readonly Measured[], key: keyof Measured) =>
        percentile(
          list.map((one) => one[key]),
          0.5,
        );
      const ratio = median(times.enable, 'seconds') / median(times.disable, 'seconds');
      for (const [name, list] of [
        ['with the index', times.enable],
        ['without', times.disable],
      ] as const)
        console.log(
          `sync of ${mails} mails ${name.padEnd(15)} ${median(list, 'seconds').toFixed(2)} s, ${median(list, 'processor').toFixed(2)} s of processor time (medians of ${rounds})`,
        );
      return ratio;
    });
  } finally {
    await proxy.close();
    await dovecot.stop();
  }
}
