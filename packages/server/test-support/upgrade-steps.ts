import pg from 'pg';
import { until } from './syncing.ts';

const LOCK_KEY = 7_238_121;
/** Longest start of a server on a busy machine, ms. */
const TIMEOUT_MS = 150_000;
const STEPS = `
  create schema upgrade_test;
  create table upgrade_test.log (id bigint generated always as identity, step text not null);
  create table upgrade_test.hold (step text not null);
  create function upgrade_test.take_step(step text) returns void language plpgsql as $$
    begin
      insert into upgrade_test.log (step) values (step);
      if step in (select h.step from upgrade_test.hold h) then
        perform pg_advisory_xact_lock(${LOCK_KEY});
      end if;
    end $$;
  create function upgrade_test.on_record() returns trigger language plpgsql as $$
    begin
      perform upgrade_test.take_step(new.created_at::text);
      return new;
    end $$;
  create trigger upgrade_test before insert on public.datadeck_migrations
    for each row execute function upgrade_test.on_record();
  create function upgrade_test.on_command() returns event_trigger language plpgsql as $$
    begin
      perform upgrade_test.take_step(current_query());
    end $$;
  create event trigger upgrade_test on ddl_command_start execute function upgrade_test.on_command();`;

/**
 * Records the steps of an upgrade in the database and holds it before one of them. A step is the text of a DDL command, or
 * the time of a migration that is about to be recorded as applied. Copies of a database with steps have them, too.
 */
export class UpgradeSteps {
  readonly #client: pg.Client;

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  static async connect(connectionString: string): Promise<UpgradeSteps> {
    const client = new pg.Client({ connectionString });
    client.on('error', () => undefined);
    await client.connect();
    return new UpgradeSteps(client);
  }

  async install(): Promise<void> {
    await this.#client.query(STEPS);
  }

  /** Returns the steps of a completed upgrade, in their order. */
  async list(): Promise<string[]> {
    const { rows } = await this.#client.query<{ step: string }>(
      'select step from upgrade_test.log order by id',
    );
    return rows.map(({ step }) => step);
  }

  /** Lets the next upgrade wait before this step. */
  async hold(step: string): Promise<void> {
    await this.#client.query('delete from upgrade_test.hold');
    await this.#client.query('insert into upgrade_test.hold values ($1)', [step]);
    await this.#client.query('select pg_advisory_lock($1)', [LOCK_KEY]);
  }

  /** Waits until the upgrade waits before its step. */
  async held(): Promise<void> {
    await until(async () => {
      const { rows } = await this.#client.query(
        "select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'",
      );
      return rows.length > 0;
    }, TIMEOUT_MS);
  }

  /** Lets upgrades run to their end, and waits until the held one of a killed process has noticed that. */
  async release(): Promise<void> {
    await this.#client.query('delete from upgrade_test.hold');
    await this.#client.query('select pg_advisory_unlock_all()');
    await until(async () => {
      const { rows } = await this.#client.query(
        `select from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
      );
      return rows.length === 0;
    }, TIMEOUT_MS);
  }

  /** Returns the ids of all processes of the PostgreSQL server but the main one. */
  async processIds(): Promise<number[]> {
    const { rows } = await this.#client.query<{ pid: number }>('select pid from pg_stat_activity');
    return rows.map(({ pid }) => pid);
  }

  /** Removes the steps from the database. */
  async remove(): Promise<void> {
    await this.#client.query('drop event trigger upgrade_test');
    await this.#client.query('drop schema upgrade_test cascade');
  }

  async close(): Promise<void> {
    await this.#client.end().catch(() => undefined);
  }
}
