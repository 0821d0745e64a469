#!/usr/bin/env node
/**
 * The command of the npm package. Finds a Node of at least version 24 (the running one, else the one installed with the
 * package), and runs the product with it and with options that bound its memory. Must itself run on any Node.
 */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const LEAST_VERSION = 24;
const CLI = fileURLToPath(new URL('../server/cli.js', import.meta.url));
/** Small young generations and few helper threads: more would need memory, and hardly less time. */
const OPTIONS = ['--max-semi-space-size=8', '--v8-pool-size=1', '--disable-warning=ExperimentalWarning'];
/** Without these, the C library keeps freed memory for each thread. */
const MALLOC = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' };

/** Returns the path of the Node to use; undefined without any. */
function findNode() {
  if (Number.parseInt(process.versions.node, 10) >= LEAST_VERSION) return process.execPath;
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  try {
    const manifest = createRequire(import.meta.url).resolve(`node-${platform}-${process.arch}/package.json`);
    return join(dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  } catch {
    return undefined;
  }
}

/** Replaces this process where the system can, else runs a child and passes on signals and its exit code. */
function run(node) {
  const args = [...OPTIONS, CLI, ...process.argv.slice(2)];
  const env = { ...MALLOC, ...process.env };
  if (typeof process.execve === 'function' && process.platform !== 'win32') {
    process.removeAllListeners('warning');
    process.execve(node, [node, ...args], env);
  }
  const child = spawn(node, args, { env, stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

const node = findNode();
if (node === undefined) {
  console.error(
    `Datadeck needs Node ${LEAST_VERSION} or newer; this is Node ${process.versions.node}, and no other was installed with it. Install Node ${LEAST_VERSION}, or run 'npm install' without --omit=optional.`,
  );
  process.exitCode = 1;
} else run(node);
