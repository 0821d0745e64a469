/** A thread that reads addresses in turn, and measures each answer. Nothing else of the bench runs in it. */
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

/** What is read, and how often. */
export interface ProbeOrder {
  url: string;
  paths: readonly string[];
  token: string;
  everyMs: number;
}

/** A read: its address, milliseconds and status; 0 when there was no answer. */
export type Read = readonly [path: string, ms: number, status: number];

/** Of a read under way: it is not refused yet. */
const ANSWERED = 200;

const { url, paths, token, everyMs } = workerData as ProbeOrder;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let reads: Read[] = [];

function read(path: string): Promise<number> {
  return new Promise((resolve) => {
    const made = get(url + path, { agent, headers: { authorization: `Bearer ${token}` } }, (answer) => {
      answer.on('end', () => resolve(answer.statusCode ?? 0)).resume();
    });
    made.on('error', () => resolve(0));
  });
}

/** The read under way, which counts as long as it took so far. */
let pending: { path: string; begun: number } | undefined;

parentPort?.on('message', () => {
  const late: Read[] = pending ? [[pending.path, performance.now() - pending.begun, ANSWERED]] : [];
  parentPort?.postMessage([...reads, ...late]);
  reads = [];
});
for (let count = 0; ; count++) {
  const path = paths[count % paths.length] ?? '/';
  const begun = performance.now();
  pending = { path, begun };
  const status = await read(path);
  pending = undefined;
  reads.push([path, performance.now() - begun, status]);
  await sleep(everyMs);
}
