/**
 * `node bench/pull-sync.ts [records] [latency ms]`: a sync of pull requests from the sandbox (a process of its own) into
 * the product (a process of its own), beside the ideal: requests x latency / allowed concurrency. Prints the ratio, and
 * the processor time of the product's Node, its database and the sandbox. In the first run both compile their code.
 */
import { githubConnector } from '../packages/connectors/src/github/index.ts';
import { runSync } from '../packages/server/test-support/syncing.ts';
import { percentile } from './percentile.ts';
import { AS_A_PAGE, requestsAtOnce, withProduct } from './product.ts';

const RECORDS = Number(process.argv[2] ?? 5000);
const LATENCY = Number(process.argv[3] ?? 100);
const RUNS = 6;
const SETTINGS = { owner: 'bench', repo: `pulls-${RECORDS}` };
const WIDTHS = [3, 7, 8, 7, 7, 5, 6, 10, 9];

function print(cells: (string | number)[]): void {
  console.log(cells.map((cell, index) => String(cell).padStart(WIDTHS[index] ?? 7)).join('  '));
}

const { quota } = githubConnector({
  githubUrl: 'http://x',
  apiUrl: 'http://x',
  client: { id: 'x', secret: 'x' },
  unitsPerMinute: 1,
});
const concurrency = requestsAtOnce(quota, LATENCY);

await withProduct({ sandbox: ['--latency', String(LATENCY), '--pulls', String(RECORDS)] }, async (trial) => {
  const { client, processorTimes } = trial;
  await client.connect('github', 'ada-nowak');
  const ratios: number[] = [];
  print(['run', 'records', 'requests', 'seconds', 'ideal s', 'ratio', 'node s', 'database s', 'sandbox s']);
  for (let run = 1; run <= RUNS; run++) {
    const before = processorTimes();
    const { summary } = await runSync(client, 'gh-pulls', SETTINGS, AS_A_PAGE);
    const after = processorTimes();
    const ideal = ((summary.requests ?? 0) * LATENCY) / 1000 / concurrency;
    const seconds = summary.timeElapsed ?? 0;
    ratios.push(seconds / ideal);
    print([
      run,
      summary.entitiesSynced ?? 0,
      summary.requests ?? 0,
      seconds.toFixed(2),
      ideal.toFixed(2),
      (seconds / ideal).toFixed(2),
      (after.product - before.product).toFixed(2),
      (after.database - before.database).toFixed(2),
      (after.sandbox - before.sandbox).toFixed(2),
    ]);
    await client.post('/api/integrations/entities/delete-all-data?provider=github');
  }
  console.log(`median ratio after the first run: ${percentile(ratios.slice(1), 0.5).toFixed(2)}`);
  // Right after a first sync the database knows nothing of its tables yet, and its plans must do without.
  await runSync(client, 'gh-pulls', SETTINGS, AS_A_PAGE);
  const { summary } = await runSync(client, 'gh-pulls', SETTINGS, AS_A_PAGE);
  console.log(`incremental right after it: ${summary.timeElapsed} s, ${summary.requests} requests`);
});
console.log(
  `allowed concurrency ${concurrency}, latency ${LATENCY} ms; ideal = requests x latency / concurrency`,
);
