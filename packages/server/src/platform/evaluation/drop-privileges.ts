/** A user id that no user has; not `nobody`, which may own the embedded database. */
const UNUSED_UID = 64_321;

function refuse(): never {
  throw new Error('An evaluating process may not do this.');
}

/** Functions of `process` that affect other processes or load code: signals, modules, native code. */
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
 * Drops privileges before the first expression: root, network APIs, signals to other processes and loading of modules. All
 * code is loaded before.
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
