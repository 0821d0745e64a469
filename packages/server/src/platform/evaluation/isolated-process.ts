import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { ChildCode } from './child-code.ts';

const UNSHARE = '/usr/bin/unshare';
/** Arguments of `unshare` for a process without network: as root, or as a user if the kernel allows user namespaces. */
const WITHOUT_NETWORK = [
  ['--net', '--'],
  ['--user', '--map-current-user', '--net', '--'],
];

let prefix: readonly string[] | undefined;

/** Returns the arguments that work on this system (tested once); empty if none work. */
function networkPrefix(): readonly string[] {
  if (prefix) return prefix;
  const works = (args: readonly string[]) =>
    spawnSync(UNSHARE, [...args, process.execPath, '--version'], { stdio: 'ignore', timeout: 5000 })
      .status === 0;
  prefix = process.platform === 'linux' && existsSync(UNSHARE) ? (WITHOUT_NETWORK.find(works) ?? []) : [];
  return prefix;
}

/** Returns whether evaluation processes start without network. */
export function hasNoNetwork(): boolean {
  return networkPrefix().length > 0;
}

/**
 * Starts a process for untrusted expressions: without environment, other files, child processes, workers, native addons,
 * code generation, and, if the system supports it, network. The code must call `dropPrivileges` first.
 * @param options further options of Node.js
 */
export function startIsolated(code: ChildCode, options: readonly string[]): ChildProcess {
  const node = [
    '--permission',
    ...code.readable.map((path) => `--allow-fs-read=${path}`),
    '--disallow-code-generation-from-strings',
    '--no-warnings',
    ...options,
  ];
  const [first] = networkPrefix();
  return fork(code.module, [], {
    ...(first === undefined
      ? { execArgv: node }
      : { execPath: UNSHARE, execArgv: [...networkPrefix(), process.execPath, ...node] }),
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc', 'pipe'],
  });
}
