import { spawn } from 'node:child_process';
import { findFreePort } from '../packages/server/src/app/http/listen.ts';

/** A sandbox that runs beside the product. */
export interface SandboxProcess {
  /** Settings of the product that lead there. */
  providers: Record<string, string>;
  pid: number;
  stop(): void;
}

/** Starts the sandbox in a process of its own, without quotas unless the options say otherwise. */
export async function startSandboxProcess(options: string[]): Promise<SandboxProcess> {
  const port = String(await findFreePort('127.0.0.1'));
  const sandbox = spawn(
    process.execPath,
    ['packages/test-sandbox/src/main.ts', '--port', port, '--quota-scale', '0', ...options],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const providers: Record<string, string> = await new Promise((resolve) => {
    let output = '';
    sandbox.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const settings = Object.fromEntries(
        [...output.matchAll(/^([A-Z_]+)=(.+)$/gm)].map(([, name = '', value = '']) => [name, value]),
      );
      if (settings.GITHUB_CLIENT_SECRET) resolve(settings);
    });
  });
  return { providers, pid: sandbox.pid ?? 0, stop: () => sandbox.kill('SIGTERM') };
}
