import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { ChildCode } from './child-code.ts';

const UNSHARE = '/usr/bin/unshare';
/** Ways to a process without any network: as root, and as another user where the kernel allows user namespaces. */
const WITHOUT_NETWORK = [
  ['--net', '--'],
  ['--user', '--map-current-user', '--net', '--'],
];

let prefix: readonly string[] | undefined;

/** Finds out once how this system starts a process without network; empty where it cannot. */
function networkPrefix(): readonly string[] {
  if (prefix) return prefix;
  const works = (args: readonly string[]) =>
    spawnSync(UNSHARE, [...args, process.execPath, '--version'], { stdio: 'ignore', timeout: 5000 })
      .status === 0;
  prefix = process.platform === 'linux' && existsSync(UNSHARE) ? (WITHOUT_NETWORK.find(works) ?? []) : [];
  return prefix;
}

/** Tells whether evaluating processes start without any network. */
export function hasNoNetwork(): boolean {
  return networkPrefix().length > 0;
}

/**
 * Starts a process for code that strangers influence: without environment, files beyond its own code, children, workers,
 * native addons, code made from texts, and, where the system allows it, without network. The code calls `giveUpRights`
 * first, which drops root.
 * @param options further options of Node
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
