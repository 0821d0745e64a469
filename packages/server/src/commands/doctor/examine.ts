import { type Config, parseConfig } from '../../platform/config/config.ts';
import { StartError } from '../../platform/start-error.ts';
import { checkDatabase } from './database-checks.ts';
import { type Finding, problem } from './finding.ts';
import { checkProviders, checkRunning } from './network-checks.ts';
import { checkDisk, checkSettings } from './system-checks.ts';

const MARKS = { ok: 'ok     ', warning: 'WARNING', problem: 'PROBLEM' } as const;

function readSettings(): Config | Finding {
  try {
    return parseConfig(process.env);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return problem(error.message, 'Correct the settings; the other checks need them.');
  }
}

/** Runs all checks. Changes nothing. */
async function examine(): Promise<Finding[]> {
  const config = readSettings();
  if ('state' in config) return [config];
  return [
    ...(await checkSettings(config)),
    ...checkDisk(config),
    ...(await checkDatabase(config)),
    ...(await checkProviders(config)),
    await checkRunning(config),
  ];
}

/** Runs all checks and prints their findings. The exit code is 1 when one is a problem. */
export async function printFindings(): Promise<void> {
  const findings = await examine();
  for (const { state, text, advice } of findings) {
    console.log(`${MARKS[state]}  ${text}`);
    if (advice !== undefined) console.log(`         ${advice}`);
  }
  if (findings.some(({ state }) => state === 'problem')) process.exitCode = 1;
}
