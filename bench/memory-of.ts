import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChildServer } from '../packages/server/test-support/child-server.ts';

function fileOf(pid: number | string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}

function field(status: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
}

/** Resident memory of a process, MB. */
export function residentMemory(pid: number | undefined): number {
  return field(fileOf(pid ?? 0, 'status'), 'VmRSS') / 1024;
}

/** Resident memory of a process, MB: what several share is divided among them. 0 when it may not be read. */
export function proportionalMemory(pid: number): number {
  return field(fileOf(pid, 'smaps_rollup'), 'Pss') / 1024;
}

function allPids(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** A process and all below it. */
export function processTree(root: number): number[] {
  const parents = new Map(allPids().map((pid) => [pid, field(fileOf(pid, 'status'), 'PPid')]));
  const isBelow = (pid: number): boolean =>
    pid === root || (parents.has(pid) && isBelow(parents.get(pid) ?? 0));
  return [...parents.keys()].filter(isBelow);
}

/** The processes that evaluate for a server: its children that run Node. */
export function evaluatorsOf(server: number | undefined): number[] {
  return allPids().filter((pid) => {
    const status = fileOf(pid, 'status');
    return field(status, 'PPid') === server && /^Name:\s+(node|MainThread)/m.test(status);
  });
}

/** Environment with which a Node process collects its garbage on SIGUSR2, and says on stderr what it holds then. */
export const COLLECT_ON_SIGNAL = {
  NODE_OPTIONS: `--expose-gc --import=data:text/javascript,${encodeURIComponent(
    "process.on('SIGUSR2', () => { gc(); gc(); const m = process.memoryUsage(); console.error('COLLECTED', JSON.stringify(m)); });",
  )}`,
};

/** Lets a server with `COLLECT_ON_SIGNAL` collect its garbage. @returns what it says it holds */
export async function collectGarbage(server: Pick<ChildServer, 'pid' | 'output'>): Promise<string> {
  const from = server.output.length;
  process.kill(server.pid ?? 0, 'SIGUSR2');
  for (let tries = 0; tries < 50; tries++) {
    await sleep(100);
    const said = /COLLECTED (\{.*\})/.exec(server.output.slice(from))?.[1];
    if (said === undefined) continue;
    const sizes = Object.entries(JSON.parse(said) as Record<string, number>);
    return sizes.map(([name, bytes]) => `${name} ${(bytes / 1024 ** 2).toFixed(0)} MB`).join(', ');
  }
  return 'no answer';
}

/** Most resident memory that any of the processes had so far, MB. */
export function peakMemory(pids: readonly number[]): number {
  return Math.max(0, ...pids.map((pid) => field(fileOf(pid, 'status'), 'VmHWM') / 1024));
}
