/**
 * `npm run dev`: the server, which restarts when its source changes, and the web app with hot reload in front of it, on
 * http://127.0.0.1:5173. Settings come from the environment as for `npm start`; data lies in `DATA_DIR`.
 */
import { type ChildProcess, spawn } from 'node:child_process';

const WEB_PORT = 5173;
const PUBLIC_URL = process.env.PUBLIC_URL ?? `http://127.0.0.1:${WEB_PORT}`;

function run(command: string, args: string[], environment: Record<string, string> = {}): ChildProcess {
  const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, ...environment } });
  // Neither is of use without the other.
  child.on('exit', (code) => stop(code ?? 1));
  return child;
}

function stop(code: number): void {
  for (const child of children) child.kill('SIGTERM');
  process.exitCode = code;
}

const children = [
  run('node', ['--watch', '--watch-preserve-output', 'packages/server/src/main.ts'], {
    WEB_APP: 'off',
    PUBLIC_URL,
  }),
  run('npx', ['vite', 'packages/web', '--host', '127.0.0.1', '--port', String(WEB_PORT), '--strictPort']),
];
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop(0));
