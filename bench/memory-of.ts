import { readdirSync, readFileSync } from 'node:fs';

function statusOf(pid: number | string): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}

function field(status: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
}

/** Resident memory of a process, MB. */
export function residentMemory(pid: number | undefined): number {
  return field(statusOf(pid ?? 0), 'VmRSS') / 1024;
}

/** The processes that evaluate for a server: its children that run Node. */
export function evaluatorsOf(server: number | undefined): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      const status = statusOf(pid);
      return field(status, 'PPid') === server && /^Name:\s+(node|MainThread)/m.test(status);
    })
    .map(Number);
}

/** Environment with which a Node process collects its garbage on SIGUSR2, and says on stderr what it holds then. */
export const COLLECT_ON_SIGNAL = {
  NODE_OPTIONS: `--expose-gc --import=data:text/javascript,${encodeURIComponent(
    "process.on('SIGUSR2', () => { gc(); gc(); const m = process.memoryUsage(); console.error('COLLECTED', JSON.stringify(m)); });",
  )}`,
};
