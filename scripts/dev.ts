/**
 * `npm run dev`: the server, which restarts when its source changes, and the web app with hot reload in front of it, on
 * http://127.0.0.1:5173. Settings come from the environment as for `npm start`; data lies in `DATA_DIR`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { globSync, watch } from 'node:fs';

const WEB_PORT = 5173;
const PUBLIC_URL = process.env.PUBLIC_URL ?? `http://127.0.0.1:${WEB_PORT}`;
/** Wait for the files of one save or one `git switch`, ms. */
const DEBOUNCE_MS = 200;

let isStopping = false;
let isRestarting = false;
let debounce: NodeJS.Timeout | undefined;
let server = startServer();
// Not by npx, which would leave it running after SIGTERM.
const web = spawn(
  'vite',
  ['packages/web', '--host', '127.0.0.1', '--port', String(WEB_PORT), '--strictPort'],
  {
    stdio: 'inherit',
  },
);
web.on('exit', (code) => stop(code ?? 1));

function startServer(): ChildProcess {
  const child = spawn('node', ['packages/server/src/main.ts'], {
    stdio: 'inherit',
    env: { ...process.env, WEB_APP: 'off', PUBLIC_URL },
  });
  child.on('exit', () => {
    if (isStopping) return;
    if (isRestarting) server = startServer();
    else console.error('The server has stopped. It starts again when its source changes.');
    isRestarting = false;
  });
  return child;
}

function restartServer(): void {
  const hasExited = server.exitCode !== null || server.signalCode !== null;
  if (hasExited) server = startServer();
  else if (!isRestarting) {
    isRestarting = true;
    server.kill('SIGTERM');
  }
}

function stop(code: number): void {
  isStopping = true;
  for (const child of [server, web]) child.kill('SIGTERM');
  process.exitCode = code;
  for (const watcher of watchers) watcher.close();
  clearTimeout(debounce);
}

// `node --watch` misses further changes of a file that an editor or git has replaced, so watch folders.
const folders = globSync('packages/{connectors,contract,jsonata,sandbox,server}/src{,/**/}');
const watchers = folders.map((folder) =>
  watch(folder, (_event, name) => {
    if (isStopping || !name?.endsWith('.ts') || name.endsWith('.test.ts')) return;
    clearTimeout(debounce);
    debounce = setTimeout(() => {
      console.log(`\n${folder}/${name} has changed: the server restarts.`);
      restartServer();
    }, DEBOUNCE_MS);
  }),
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop(0));
