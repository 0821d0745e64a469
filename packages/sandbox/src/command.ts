import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { productSettings } from './product-settings.ts';
import type { SandboxOptions } from './settings/sandbox-options.ts';
import type { ListenOptions, StartedSandbox } from './start-sandbox.ts';

const HELP = `Simulates Google and GitHub, for trying out the product and for tests.

  --port N           port to listen on (4010)
  --host ADDRESS     address to listen on (127.0.0.1)
  --folder DIR       serve the .eml and pull-request .json files of a folder instead of the sample
  --latency MS       add this latency to every API request
  --quota-scale N    multiply the real quotas; 0 turns them off (1)
  --quota-time N     make a quota minute last 60/N seconds (1)
`;

const NUMBERS = { port: '4010', latency: '0', 'quota-scale': '1', 'quota-time': '1' };

/** The options that the command reads. */
export type CommandOptions = Omit<SandboxOptions, 'baseUrl'> & ListenOptions;

/** Further options of a command. */
interface MoreOptions {
  /** Options that are numbers, with their defaults. */
  numbers: Record<string, string>;
  help: string;
}

/** Runs the command of a sandbox: reads the options, starts it and prints its settings for the product. */
export async function runCommand(
  start: (options: CommandOptions, numbers: Record<string, number>) => Promise<StartedSandbox>,
  more: MoreOptions = { numbers: {}, help: '' },
): Promise<void> {
  try {
    const { values } = parseArgs({
      options: { ...textOptions({ ...NUMBERS, ...more.numbers, host: '127.0.0.1' }), ...OTHERS },
    });
    if (values.help === true) console.log(HELP + more.help);
    else await serve(await startFrom(values, start));
  } catch (error) {
    console.error(`The sandbox cannot start: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}

const OTHERS = { folder: { type: 'string' }, help: { type: 'boolean', default: false } } as const;

function textOptions(defaults: Record<string, string>): Record<string, { type: 'string'; default: string }> {
  return Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [name, { type: 'string', default: value }]),
  );
}

function startFrom(
  values: Record<string, string | boolean | undefined>,
  start: Parameters<typeof runCommand>[0],
): Promise<StartedSandbox> {
  const numbers = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)]));
  const { port = 0, latency = 0, 'quota-scale': quotaScale = 1, 'quota-time': quotaTimeScale = 1 } = numbers;
  const { host, folder } = values;
  const options = { port, host: String(host), latencyMs: latency, quotaScale, quotaTimeScale };
  return start(
    folder === undefined ? options : { ...options, folder: existingFolder(String(folder)) },
    numbers,
  );
}

function serve(sandbox: StartedSandbox): void {
  const lines = Object.entries(productSettings(sandbox)).map(([name, value]) => `${name}=${value}\n`);
  console.log(`The sandbox listens on ${sandbox.url}. Set this for the product:\n\n${lines.join('')}`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void sandbox.close());
}

function existingFolder(path: string): string {
  const folder = resolve(path);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`--folder ${folder} is not a folder`);
  return folder;
}
