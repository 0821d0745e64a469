import type pg from 'pg';
import { type Database, openDatabase } from '../src/platform/db/database.ts';
import { createLogger } from '../src/platform/log.ts';

/** Where a process is killed: at which statement, and whether the database still receives it. */
export interface Death {
  afterStatements: number;
  isStatementSent: boolean;
}

function unreachable(): Error {
  return Object.assign(new Error('the process is dead'), { code: 'ECONNRESET' });
}

/**
 * Simulates a process that is killed at one of its statements: closes its connections there and sends nothing more, which
 * is equivalent to kill -9 for the database.
 */
export function openMortalDatabase(connection: pg.PoolConfig, death: Death): Database & { kill(): void } {
  const db = openDatabase(connection, createLogger('silent'), 3);
  const pool = db.$client;
  const open = new Set<pg.Client>();
  let left = death.afterStatements;
  let isDead = false;
  const die = () => {
    isDead = true;
    for (const client of open) client.connection.stream.destroy();
  };
  pool.on('connect', (client) => {
    const living = client as unknown as pg.Client;
    open.add(living);
    living.on('error', () => undefined);
    const query = living.query.bind(living) as (...given: unknown[]) => unknown;
    const refuse = (given: unknown[]) => {
      const callback = given.at(-1);
      if (typeof callback !== 'function') return Promise.reject(unreachable());
      return setImmediate(() => callback(unreachable()));
    };
    const mortal = (...given: unknown[]) => {
      const isStream = typeof given[0] === 'object' && given[0] !== null && 'submit' in given[0];
      if (isDead) return isStream ? query(...given) : refuse(given);
      if (--left > 0) return query(...given);
      setImmediate(die);
      if (isStream) return query(...given);
      const sent = death.isStatementSent
        ? query(...given.filter((one) => typeof one !== 'function'))
        : undefined;
      if (sent instanceof Promise) sent.catch(() => undefined);
      return refuse(given);
    };
    Object.assign(living, { query: mortal });
  });
  const connect = pool.connect.bind(pool) as (...given: unknown[]) => unknown;
  Object.assign(pool, {
    connect: (...given: unknown[]) => {
      if (!isDead) return connect(...given);
      const [callback] = given;
      if (typeof callback === 'function') return callback(unreachable());
      return Promise.reject(unreachable());
    },
  });
  return Object.assign(db, { kill: die });
}
