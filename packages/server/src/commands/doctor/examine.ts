import { checkOpenDatabase } from '../../app/doctor/database-checks.ts';
import { type Finding, ok, problem } from '../../app/doctor/finding.ts';
import { checkLimits } from '../../app/doctor/limit-checks.ts';
import { checkProviders, checkRunning } from '../../app/doctor/network-checks.ts';
import { checkDisk, checkSettings } from '../../app/doctor/system-checks.ts';
import { type Config, parseConfig } from '../../platform/config/config.ts';
import { reasonOf } from '../../platform/db/failures.ts';
import { databaseAdvice } from '../../platform/db/unusable.ts';
import { hasDatabase } from '../../platform/embedded-postgres/cluster-paths.ts';
import { StartError } from '../../platform/start-error.ts';
import { withUnmigratedDatabase } from '../database.ts';

const MARKS = { ok: 'ok     ', warning: 'WARNING', problem: 'PROBLEM' } as const;

function readSettings(): Config | Finding {
  try {
    return parseConfig(process.env);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return problem(error.message, 'Correct the settings; the other checks need them.');
  }
}

/** Checks the database of the settings: reachable, and what `checkOpenDatabase` checks. */
async function checkDatabase(config: Config): Promise<Finding[]> {
  if (config.DATABASE_URL === undefined && !hasDatabase(config.DATA_DIR))
    return [
      ok(`There is no database in ${config.DATA_DIR} yet; the first start creates it.`),
      ...(await checkLimits(config)),
    ];
  try {
    return await withUnmigratedDatabase(config, (db) => checkOpenDatabase(db, config));
  } catch (error) {
    return [
      problem(
        error instanceof StartError ? error.message : `The database cannot be used: ${reasonOf(error)}.`,
        databaseAdvice(error, config),
      ),
      ...(await checkLimits(config)),
    ];
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
