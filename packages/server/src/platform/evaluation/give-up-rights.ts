/** An id that no user has: not `nobody`, whom the embedded database may run as. */
const NO_USER = 64_321;

function refuse(): never {
  throw new Error('An evaluating process may not do this.');
}

/** What of Node reaches beyond the process: signals, other modules, native code. */
const REACHING_OUT = [
  'kill',
  '_kill',
  'abort',
  'binding',
  '_linkedBinding',
  'dlopen',
  'getBuiltinModule',
  'chdir',
  'umask',
  'setuid',
  'setgid',
  'seteuid',
  'setegid',
  'setgroups',
  'initgroups',
  '_debugProcess',
] as const;
const NETWORK = ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest', 'navigator'] as const;

/**
 * Gives up what this process does not need, before the first expression: root, the network API, signals to other
 * processes and further modules. Its code is loaded by then.
 */
export function giveUpRights(): void {
  if (process.getuid?.() === 0) {
    process.setgroups?.([]);
    process.setgid?.(NO_USER);
    process.setuid?.(NO_USER);
  }
  for (const name of REACHING_OUT)
    Object.defineProperty(process, name, { value: refuse, writable: false, configurable: false });
  for (const name of NETWORK) Reflect.deleteProperty(globalThis, name);
}
