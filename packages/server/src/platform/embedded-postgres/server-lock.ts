import { existsSync, readFileSync, readlinkSync, realpathSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { reasonOf } from '../db/failures.ts';
import { StartError } from '../start-error.ts';
import type { ClusterPaths } from './cluster-paths.ts';

export type ServerState = 'running' | 'zombie' | 'gone';

type Cluster = Pick<ClusterPaths, 'cluster'>;

/** The lock file of a cluster's server: process id, data folder, start (s since 1970), port, one a line. */
export const serverLockOf = ({ cluster }: Cluster) => join(cluster, 'postmaster.pid');
const socketLockOf = ({ socket }: Pick<ClusterPaths, 'socket'>, port: number) =>
  join(socket, `.s.PGSQL.${port}.lock`);

/** A lock file of PostgreSQL. Without `pid`, its content is lost, as after a power failure. */
export interface ServerLock {
  pid?: number;
  port?: number;
}

/** Returns the content of a lock file; undefined when there is none. */
export function readLock(file: string): ServerLock | undefined {
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, 'utf8').split('\n').map(Number);
  const [pid, port] = [lines[0], lines[3]];
  return {
    ...(Number.isSafeInteger(pid) && Number(pid) > 0 ? { pid: Number(pid) } : {}),
    ...(Number.isSafeInteger(port) && Number(port) > 0 ? { port: Number(port) } : {}),
  };
}

/** Removes a lock file of a server that no longer runs. @throws StartError that names the file to remove */
export function removeLock(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch (error) {
    throw new StartError(
      `Remove ${file}, the lock file of a database server that no longer runs, and start Datadeck again (${reasonOf(error)}).`,
      error,
    );
  }
}

/**
 * Returns whether a process works in the cluster's folder. Where the system hides that (a container's root without further
 * rights), it must at least be a process of the folder's owner.
 */
function isIn(pid: number, { cluster }: Cluster): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster);
  } catch {
    return statSync(`/proc/${pid}`).uid === statSync(cluster).uid;
  }
}

/** Seconds by which the start of a process and the start that a lock file names may differ. */
const START_TOLERANCE_S = 60;

/**
 * Returns whether a process runs since the lock file was written: the kernel uses ids again. A clock that was set later
 * makes a process look older, so only later starts count.
 */
function startedBefore(pid: number, file: string): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const ticks = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
    const boot = Number(/^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1]);
    const named = Number(readFileSync(file, 'utf8').split('\n')[2]);
    return !(boot + ticks / 100 > named + START_TOLERANCE_S);
  } catch {
    return true;
  }
}

/**
 * Returns the state of the cluster's server with a process id. A process is this server if it is a PostgreSQL that works in
 * the data folder; any other process or thread has taken over the id of a dead one.
 */
export function serverStateOf(pid: number, paths: Cluster): ServerState {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return 'gone';
  }
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const fields = new Map(status.split('\n').map((line) => line.split(':\t') as [string, string]));
    if (fields.get('Tgid') !== String(pid) || fields.get('Name') !== 'postgres') return 'gone';
    if (fields.get('State')?.startsWith('Z')) return 'zombie';
    return isIn(pid, paths) && startedBefore(pid, serverLockOf(paths)) ? 'running' : 'gone';
  } catch {
    return existsSync('/proc/self') ? 'gone' : 'running';
  }
}

/** Returns the process id and port of the cluster's running server. */
export function runningServer(paths: Cluster): { pid: number; port?: number } | undefined {
  const { pid, port } = readLock(serverLockOf(paths)) ?? {};
  if (pid === undefined || serverStateOf(pid, paths) !== 'running') return undefined;
  return { pid, ...(port !== undefined && { port }) };
}

/** Removes the lock file of the socket unless this cluster's server runs. The folder of the socket is the cluster's alone. */
export function clearSocketLock(paths: Pick<ClusterPaths, 'cluster' | 'socket'>, port: number): void {
  const file = socketLockOf(paths, port);
  const lock = readLock(file);
  if (lock === undefined) return;
  if (lock.pid === undefined || serverStateOf(lock.pid, paths) === 'gone') removeLock(file);
}
