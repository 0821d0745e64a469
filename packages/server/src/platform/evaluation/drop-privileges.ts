/** An id that no user has: not `nobody`, whom the embedded database may run as. */
const UNUSED_UID = 64_321;

function refuse(): never {
  throw new Error('An evaluating process may not do this.');
}

/** What of Node reaches beyond the process: signals, other modules, native code. */
const PROCESS_FUNCTIONS = [
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
export function dropPrivileges(): void {
  if (process.getuid?.() === 0) {
    process.setgroups?.([]);
    process.setgid?.(UNUSED_UID);
    process.setuid?.(UNUSED_UID);
  }
  for (const name of PROCESS_FUNCTIONS)
    Object.defineProperty(process, name, { value: refuse, writable: false, configurable: false });
  for (const name of NETWORK) Reflect.deleteProperty(globalThis, name);
}
