/**
 * `node bench/declarative.ts [--count N] [--check]`: reads N tickets through a connector document, and as a reference the same
 * API by a connector in TypeScript, in turns. Nothing is stored; documents are written as JSON, as the engine would. Prints
 * the processor time of this process with its threads, the time of the mapping alone, the memory, and the event loop's delays.
 *
 * Goals (`--check`): at most 2 times the reference's processor time, mapping 30 µs a record, event loop 50 ms (p99), and no
 * more memory for the second half of the records than for the first (1.2 times).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { EntityMapper } from '../packages/connectors/src/declarative/entity-mapper.ts';
import { declarativeConnector } from '../packages/connectors/src/declarative/index.ts';
import {
  type Connector,
  type EntityDefinition,
  ProviderClient,
  type ReadRequest,
  Scheduler,
} from '../packages/connectors/src/sdk/index.ts';
import { readByHand } from './declarative/by-hand.ts';
import { TICKETS } from './declarative/document.ts';
import { percentile } from './percentile.ts';

const { values } = parseArgs({
  options: { count: { type: 'string', default: '50000' }, check: { type: 'boolean', default: false } },
});
const COUNT = Number(values.count);
const ROUNDS = 3;
const MB = 1024 * 1024;

interface Reading {
  records: number;
  cpuMs: number;
  wallMs: number;
  /** Resident memory after half of the records and at the end, MB. */
  halfMb: number;
  endMb: number;
  /** 99th percentile of the event loop's delay, ms. */
  delayMs: number;
}

function requestFor(connector: Connector): ReadRequest {
  const { signal } = new AbortController();
  const client = new ProviderClient({
    connector,
    scheduler: new Scheduler({ ...connector.quota, unitsPerMinute: Number.POSITIVE_INFINITY }),
    credentials: async () => ({ accessToken: 'token', scopes: [] }),
    signal,
  });
  const stored = async function* () {};
  return { client, settings: {}, checkpoint: null, cursor: null, limit: 10_000_000, signal, stored };
}

async function read(connector: Connector, reader: EntityDefinition['read']): Promise<Reading> {
  const delays = monitorEventLoopDelay({ resolution: 5 });
  delays.enable();
  const begun = { cpu: process.cpuUsage(), at: performance.now() };
  let records = 0;
  let bytes = 0;
  let halfMb = 0;
  for await (const page of reader(requestFor(connector))) {
    for (const { data } of page.records)
      bytes += Buffer.isBuffer(data) ? data.length : Buffer.byteLength(JSON.stringify(data));
    records += page.records.length;
    if (halfMb === 0 && records >= COUNT / 2) halfMb = process.memoryUsage().rss / MB;
  }
  const { user, system } = process.cpuUsage(begun.cpu);
  delays.disable();
  if (records !== COUNT || bytes === 0) throw new Error(`read ${records} records instead of ${COUNT}`);
  return {
    records,
    cpuMs: (user + system) / 1000,
    wallMs: performance.now() - begun.at,
    halfMb,
    endMb: process.memoryUsage().rss / MB,
    delayMs: delays.percentile(99) / 1e6,
  };
}

/** Maps pages in this thread. @returns the time per record, µs: with the decoding of JSON and the writing of documents */
async function mapPages(url: string): Promise<number> {
  const entity = TICKETS.entities[0];
  if (!entity) throw new Error('the document has no entity');
  const mapper = new EntityMapper(TICKETS, entity);
  const bytes = new Uint8Array(await (await fetch(`${url}/tickets?page=1`)).arrayBuffer());
  const variables = { config: {}, settings: {}, now: new Date().toISOString() };
  const request = mapper.firstRequest(variables);
  const times: number[] = [];
  for (let round = 0; round < 60; round++) {
    const begun = performance.now();
    const page = mapper.page({ bytes, headers: {} }, request, variables);
    if ('failedBody' in page) throw new Error('the page failed');
    times.push((1000 * (performance.now() - begun)) / page.records.heads.length);
  }
  return percentile(times.slice(10), 0.5);
}

async function main(url: string): Promise<void> {
  const connector = declarativeConnector(TICKETS, { baseUrl: url });
  const [entity] = connector.entities;
  if (!entity) throw new Error('the connector has no entity');
  const readers = { reference: readByHand, document: (request: ReadRequest) => entity.read(request) };
  const readings: Record<keyof typeof readers, Reading[]> = { reference: [], document: [] };
  for (let round = 0; round <= ROUNDS; round++)
    for (const name of ['reference', 'document'] as const) {
      const reading = await read(connector, readers[name]);
      // The first round only warms up.
      if (round > 0) readings[name].push(reading);
    }
  const median = (name: keyof typeof readers, of: keyof Reading) =>
    percentile(
      readings[name].map((reading) => reading[of]),
      0.5,
    );
  console.log(
    `${COUNT} tickets of 1 KB, ${ROUNDS} rounds      processor ms   wall ms   memory MB at half, end   delay p99 ms`,
  );
  for (const name of ['reference', 'document'] as const) {
    const [cpu, wall, half, end, delay] = (['cpuMs', 'wallMs', 'halfMb', 'endMb', 'delayMs'] as const).map(
      (of) => median(name, of).toFixed(0).padStart(10),
    );
    console.log(`${name.padEnd(34)}${cpu}${wall}${half}${end}${delay}`);
  }
  const ratio = median('document', 'cpuMs') / median('reference', 'cpuMs');
  const mapping = await mapPages(url);
  const growth = median('document', 'endMb') / median('document', 'halfMb');
  const delayMs = median('document', 'delayMs');
  console.log(`processor time ${ratio.toFixed(2)} times the reference, goal 2`);
  console.log(`mapping with decoding ${mapping.toFixed(1)} µs a record, goal 30`);
  console.log(`memory at the end ${growth.toFixed(2)} times that at half, goal 1.2`);
  if (values.check && (ratio > 2 || mapping > 30 || growth > 1.2 || delayMs > 50)) process.exitCode = 1;
}

const script = new URL('./declarative/service.ts', import.meta.url).pathname;
const service = spawn(process.execPath, [script, String(COUNT)], { stdio: ['ignore', 'pipe', 'inherit'] });
try {
  const [line] = (await once(service.stdout, 'data')) as [Buffer];
  await main(line.toString().trim());
} finally {
  service.kill();
}
