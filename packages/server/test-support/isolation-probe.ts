/** Runs like an evaluation process, tries forbidden actions and reports the results. */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { Worker } from 'node:worker_threads';
import { dropPrivileges } from '../src/platform/evaluation/drop-privileges.ts';

/** Parameters of the probe. */
export interface ProbeTargets {
  /** Loopback port on which the test listens. */
  port: number;
  /** Unix socket on which the test listens. */
  socket: string;
  file: string;
}
export type ProbeOutcomes = Record<string, string>;

dropPrivileges();

async function outcomeOf(attempt: () => unknown): Promise<string> {
  try {
    return `done: ${String(await attempt())}`;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}

function dial(to: { port: number; host: string } | { path: string }): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(to, () => resolve('connected'));
    socket.setTimeout(3000, () => reject(new Error('no answer')));
    socket.on('error', reject);
  });
}

process.once('message', async ({ port, socket, file }: ProbeTargets) => {
  const outcomes: ProbeOutcomes = {
    uid: String(process.getuid?.()),
    groups: String(process.getgroups?.()),
    interfaces: String(Object.keys(networkInterfaces()).length),
    tcp: await outcomeOf(() => dial({ port, host: '127.0.0.1' })),
    unixSocket: await outcomeOf(() => dial({ path: socket })),
    listen: await outcomeOf(() => createServer().listen(0).close()),
    fetch: await outcomeOf(() => globalThis.fetch(`http://127.0.0.1:${port}/`)),
    signalParent: await outcomeOf(() => process.kill(process.ppid, 0)),
    builtin: await outcomeOf(() => process.getBuiltinModule('node:child_process')),
    child: await outcomeOf(() => spawn('true')),
    worker: await outcomeOf(() => new Worker('0', { eval: true })),
    read: await outcomeOf(() => readFileSync(file, 'utf8')),
    write: await outcomeOf(() => writeFileSync(`${file}.new`, '')),
    code: await outcomeOf(() => new Function('return 1')()),
    environment: JSON.stringify(Object.keys(process.env)),
  };
  process.send?.(outcomes);
});
