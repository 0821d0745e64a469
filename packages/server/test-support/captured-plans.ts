import pg from 'pg';
import { z } from 'zod';
import { listTenantTables, parsePartition } from './partitions.ts';

/** A statement that a database executed, with the tables and partitions of its plan. */
export interface CapturedStatement {
  text: string;
  /** Tables of users that the plan reads or changes. */
  tables: ReadonlySet<string>;
  /** Numbers of the partitions of its plan, of all tables together. */
  partitions: ReadonlySet<number>;
}

interface PlanNode {
  'Relation Name'?: string;
  Plans?: PlanNode[];
}
const planSchema = z.object({ 'Query Text': z.string(), Plan: z.custom<PlanNode>() });

/** Settings of `auto_explain`: sends the plan of each statement, also of those in functions, to the client as a notice. */
const SETTINGS = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': 'notice',
  'auto_explain.log_verbose': 'off',
};

function collectRelations(node: PlanNode, names: Set<string>): void {
  if (node['Relation Name'] !== undefined) names.add(node['Relation Name']);
  for (const child of node.Plans ?? []) collectRelations(child, names);
}

/** Captures the plans of all statements that the product's connections to one database execute. */
export class PlanCapture {
  readonly statements: CapturedStatement[] = [];
  /** The tables of users. */
  readonly tenantTables: readonly string[];
  readonly #emit = pg.Client.prototype.emit;

  private constructor(tenantTables: readonly string[]) {
    this.tenantTables = tenantTables;
  }

  /** Starts the capture in connections that are opened from now on. */
  static async start(url: string): Promise<PlanCapture> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const name = pg.escapeIdentifier(client.database ?? '');
    for (const [setting, value] of Object.entries(SETTINGS))
      await client.query(`alter database ${name} set ${setting} = ${pg.escapeLiteral(value)}`);
    const capture = new PlanCapture(await listTenantTables(client));
    await client.end();
    capture.#listen();
    return capture;
  }

  #listen(): void {
    const note = (message: string) => this.#note(message);
    const emit = this.#emit;
    pg.Client.prototype.emit = function (this: pg.Client, event: string | symbol, ...given: unknown[]) {
      const [notice] = given as { message?: string }[];
      if (event === 'notice' && notice?.message !== undefined) note(notice.message);
      return emit.call(this, event, ...given);
    };
  }

  #note(message: string): void {
    const start = message.indexOf('plan:\n');
    if (!message.startsWith('duration:') || start < 0) return;
    const { 'Query Text': text, Plan: plan } = planSchema.parse(JSON.parse(message.slice(start + 6)));
    const names = new Set<string>();
    collectRelations(plan, names);
    const parts = [...names].map((name) => parsePartition(name)).filter((part) => part !== undefined);
    const whole = [...names].filter((name) => this.tenantTables.includes(name));
    this.statements.push({
      text: text.replaceAll(/\s+/g, ' ').trim(),
      tables: new Set([...parts.map(({ table }) => table), ...whole]),
      partitions: new Set(parts.map(({ index }) => index)),
    });
  }

  stop(): void {
    pg.Client.prototype.emit = this.#emit;
  }
}
