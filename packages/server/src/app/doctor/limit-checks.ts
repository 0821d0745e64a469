import type { Config } from '../../platform/config/config.ts';
import type { Database } from '../../platform/db/database.ts';
import { createLogger } from '../../platform/log.ts';
import { StartError } from '../../platform/start-error.ts';
import { configuredEndpoints, createRegistry } from '../connector-registry.ts';
import { InstalledConnectors } from '../installed-connectors.ts';
import { planLimiter } from '../plan-limits.ts';
import { type Finding, problem, warning } from './finding.ts';

/** Reads the file by the shipped connectors alone. @returns the entities that only a database could know @throws StartError */
function readWithoutDatabase(config: Config): string[] {
  const known = createRegistry(configuredEndpoints(config))
    .entities()
    .map(({ id }) => id);
  const unchecked: string[] = [];
  planLimiter(config.PLAN_LIMITS, { known, isFormer: () => true, onUnused: (id) => unchecked.push(id) });
  return unchecked;
}

/**
 * Checks the file of PLAN_LIMITS as a start does.
 * @param db with the tables of this version; without one, entities of administrators' connectors cannot be checked
 */
export async function checkLimits(config: Config, db?: Database): Promise<Finding[]> {
  try {
    if (db) {
      const connectors = new InstalledConnectors(configuredEndpoints(config), config, createLogger('silent'));
      await connectors.load(db);
      return [];
    }
    const unchecked = readWithoutDatabase(config);
    if (unchecked.length === 0) return [];
    return [
      warning(
        `PLAN_LIMITS names ${unchecked.slice(0, 5).join(', ')}, which could not be checked without the database.`,
        'No shipped connector has this. Run the check again when the database answers and has the tables of this version.',
      ),
    ];
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return [problem(error.message, 'Correct it: Datadeck does not start with it.')];
  }
}
