import { Gauge, type Registry } from 'prom-client';
import type { Database } from './database.ts';

/** The pools of a process, by the kind of work that they serve. */
interface Pools {
  pages: Database;
  sessions: Database;
  runs: Database;
  control: Database;
  /** Number of requests that wait for a connection of their fair queue of `pages`. */
  waitingForPages(): number;
}

/** Exports how many connections each pool may open and uses, and how many callers wait for one. */
export function exportPools(registry: Registry, { waitingForPages, ...pools }: Pools): void {
  const measures = {
    connections_max: ['Largest number of database connections', (pool) => pool.options.max],
    connections_used: ['Database connections in use', (pool) => pool.totalCount - pool.idleCount],
    waiting: ['Callers that wait for a database connection', (pool) => pool.waitingCount],
  } satisfies Record<string, [string, (pool: Database['$client']) => number]>;
  for (const [name, [help, read]] of Object.entries(measures))
    new Gauge({
      name: `datadeck_database_${name}`,
      help,
      labelNames: ['pool'],
      registers: [registry],
      collect() {
        for (const [pool, { $client }] of Object.entries(pools)) this.set({ pool }, read($client));
        if (name === 'waiting') this.inc({ pool: 'pages' }, waitingForPages());
      },
    });
}
