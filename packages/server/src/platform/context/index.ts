import type { Broadcast } from '../broadcast.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../db/database.ts';
import type { Keyring } from '../encryption.ts';
import type { Evaluations } from '../evaluation/index.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Logger } from '../log.ts';
import type { Metrics } from '../metrics.ts';

/** The services that every feature may use; created once by main.ts. */
export interface Context {
  config: Config;
  db: Database;
  log: Logger;
  keyring: Keyring;
  broadcast: Broadcast;
  jobs: Jobs;
  metrics: Metrics;
  evaluation: Evaluations;
}
