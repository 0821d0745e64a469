#!/usr/bin/env node
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { productSettings } from './product-settings.ts';
import { startSandbox } from './start-sandbox.ts';

const HELP = `Simulates Google and GitHub, for trying out the product and for tests.

  --port N           port to listen on (4010)
  --host ADDRESS     address to listen on (127.0.0.1)
  --folder DIR       serve the .eml and pull-request .json files of a folder instead of the sample
  --latency MS       add this latency to every API request
  --quota-scale N    multiply the real quotas; 0 turns them off (1)
  --quota-time N     make a quota minute last 60/N seconds (1)
  --messages N       also serve N synthetic messages (account bench-N@sandbox.example)
  --mailboxes N      number of such accounts: bench-M, bench-M-2, bench-M-3, … (1)
  --pulls N          also serve N synthetic pull requests (repository bench/pulls-N)
`;

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4010' },
    host: { type: 'string', default: '127.0.0.1' },
    folder: { type: 'string' },
    latency: { type: 'string', default: '0' },
    'quota-scale': { type: 'string', default: '1' },
    'quota-time': { type: 'string', default: '1' },
    messages: { type: 'string', default: '0' },
    mailboxes: { type: 'string', default: '1' },
    pulls: { type: 'string', default: '0' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) {
  console.log(HELP);
} else {
  try {
    await run();
  } catch (error) {
    console.error(`The sandbox cannot start: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}

async function run(): Promise<void> {
  const sandbox = await startSandbox({
    port: Number(values.port),
    host: values.host,
    latencyMs: Number(values.latency),
    quotaScale: Number(values['quota-scale']),
    quotaTimeScale: Number(values['quota-time']),
    synthetic: {
      messages: Number(values.messages),
      mailboxes: Number(values.mailboxes),
      pulls: Number(values.pulls),
    },
    ...(values.folder === undefined ? {} : { folder: existingFolder(values.folder) }),
  });
  sandbox.prepare();
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
