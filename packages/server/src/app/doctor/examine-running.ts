import type { Product } from '../product.ts';
import { checkOpenDatabase } from './database-checks.ts';
import { type Finding, problem } from './finding.ts';
import { checkLimits } from './limit-checks.ts';
import { checkProviders } from './network-checks.ts';
import { checkDisk, checkSettings } from './system-checks.ts';

/** Runs the checks of `datadeck doctor` in a running process, with its own database connections. Changes nothing. */
async function examine({ context: { config, db } }: Product): Promise<Finding[]> {
  const database = await checkOpenDatabase(db, config).catch(async () => [
    problem('The database does not answer.', 'The log of Datadeck has the details.'),
    ...(await checkLimits(config)),
  ]);
  const settings = await checkSettings(config);
  return [...settings, ...checkDisk(config), ...database, ...(await checkProviders(config))];
}

/** Returns a function that examines; callers at the same time share one examination. */
export function shareExaminations(product: Product): () => Promise<Finding[]> {
  let running: Promise<Finding[]> | undefined;
  return () => {
    running ??= examine(product).finally(() => {
      running = undefined;
    });
    return running;
  };
}
