/**
 * `node bench/tracing.ts [rounds]`: reads the same pages of two Datadecks in turn, one of which exports traces to a collector
 * on this machine. Prints the medians, the processor time of a request without the database, and their ratios.
 */
import { SpanReceiver } from '../packages/server/test-support/span-receiver.ts';
import { runSync } from '../packages/server/test-support/syncing.ts';
import { percentile } from './percentile.ts';
import { type Trial, withProduct } from './product.ts';

const ROUNDS = Number(process.argv[2] ?? 30);
/** Requests to each page in a round. */
const READS = 40;
/** Rounds that are not measured: both processes compile their code first. */
const WARM_UP = 3;
const PAGES = {
  Providers: '/api/integrations/providers',
  'Page of pull requests': '/api/integrations/entities/aggregation/gh-pulls/pulls-all?page=1',
};

/** Times of one product, by page. */
type Times = Map<string, { ms: number[]; processorS: number[] }>;

async function prepare({ client }: Trial): Promise<void> {
  await client.connect('github', 'ada-nowak');
  await runSync(client, 'gh-pulls', { owner: 'aurora-labs', repo: 'harbor' });
}

/** Reads a page several times. */
async function read({ client, processorTimes }: Trial, path: string) {
  const ms: number[] = [];
  const before = processorTimes().product;
  for (let count = 0; count < READS; count++) {
    const begun = performance.now();
    await client.get(path);
    ms.push(performance.now() - begun);
  }
  return { ms, processorS: (processorTimes().product - before) / READS };
}

async function measure(trials: readonly Trial[]): Promise<Times[]> {
  const times: Times[] = trials.map(() => new Map());
  for (let round = -WARM_UP; round < ROUNDS; round++)
    for (const [name, path] of Object.entries(PAGES)) {
      // The order changes, so that neither is always the first after a pause.
      const order = round % 2 === 0 ? [0, 1] : [1, 0];
      for (const which of order) {
        const { ms, processorS } = await read(trials[which] as Trial, path);
        if (round < 0) continue;
        const found = times[which]?.get(name) ?? { ms: [], processorS: [] };
        times[which]?.set(name, { ms: [...found.ms, ...ms], processorS: [...found.processorS, processorS] });
      }
    }
  return times;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

function show([plain, traced]: readonly Times[]): void {
  console.log(`${''.padEnd(24)}${'median ms'.padEnd(28)}processor ms a request`);
  console.log(`${''.padEnd(24)}${'plain   traced  ratio'.padEnd(28)}plain   traced  ratio`);
  for (const [name, { ms, processorS }] of plain ?? []) {
    const other = traced?.get(name) ?? { ms: [], processorS: [] };
    const pairs = [
      [percentile(ms, 0.5), percentile(other.ms, 0.5)],
      [1000 * mean(processorS), 1000 * mean(other.processorS)],
    ];
    const cells = pairs.map(([one = 0, two = 0]) =>
      [one, two, two / one]
        .map((value) => value.toFixed(2).padEnd(8))
        .join('')
        .padEnd(28),
    );
    console.log(`${name.padEnd(24)}${cells.join('')}`);
  }
}

const collector = new SpanReceiver();
const endpoint = await collector.start();
const sandbox: string[] = [];
await withProduct({ sandbox }, (plain) =>
  withProduct({ sandbox, settings: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } }, async (traced) => {
    for (const trial of [plain, traced]) await prepare(trial);
    show(await measure([plain, traced]));
    console.log(`${collector.spans.length} spans received, ${ROUNDS * READS} requests to each page`);
  }),
);
collector.stop();
