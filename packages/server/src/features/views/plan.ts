import type { Bindings } from '@datadeck/contract';
import type { Context } from '../../platform/context/index.ts';
import { type DataSet, type Operand, type PlanStep, setOfLists } from '../../platform/evaluation/index.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { type ComparedKeys, type RowsRequest, type TemplateRows, templateRows } from '../templates/index.ts';
import { type Base, basesOf } from './graph.ts';
import { findComparedKeys, type PlannedLists } from './push-keys.ts';
import type { ViewRow } from './to-response.ts';

interface PlanRequest extends Pick<PlannedLists['evaluation'], 'userId' | 'urgency' | 'signal'> {
  /** The account whose rows of the first base's provider are read, where a base names none; absent or empty for all. */
  account: string | undefined;
  /** The result of `chainOf`. */
  views: readonly ViewRow[];
  bindings: Bindings;
  /** Id of the run as of whose end the rows are read; absent: now. */
  asOf?: string | undefined;
  /** Number of rows from which a list is selected by keys; for tests and benchmarks. */
  minRows?: number | undefined;
}

/** A list of rows that steps of a plan read. */
type List = Omit<RowsRequest, 'userId' | 'bindings' | 'asOf'>;

/** Collects the lists that views read, each once. */
class Lists {
  readonly all: List[] = [];
  readonly #positions = new Map<string, number>();

  /** Adds a list. @param list `expression` and `source` are of the view that reads it */
  add({ expression, source, ...list }: List): number {
    const key = JSON.stringify([list.entity, list.templateKey, list.account, list.search]);
    const known = this.#positions.get(key);
    if (known === undefined) {
      this.#positions.set(key, this.all.length);
      return this.all.push({ ...list, expression, source }) - 1;
    }
    // Several expressions need different rows of it.
    Object.assign(this.all[known] as List, { expression: '', source: undefined });
    return known;
  }
}

/** Returns the account whose rows of a base are read: its own, or the asked one of the view's provider; undefined for all. */
export function accountOfBase(
  base: Base,
  asked: { provider: string | undefined; account: string | undefined },
): string | undefined {
  return base.account ?? (base.provider === asked.provider ? asked.account : undefined);
}

/** Returns the lists and steps by which views with several bases are computed, one step for each view. */
function stepsOf({ account, views }: Pick<PlanRequest, 'account' | 'views'>): {
  lists: Lists;
  plan: PlanStep[];
} {
  const lists = new Lists();
  const provider = views.at(-1)?.provider;
  const operandOf = (base: Base, index: number, { expression }: ViewRow): Operand => {
    if (base.basedOn !== null) return { step: views.findIndex(({ id }) => id === base.basedOn) };
    return {
      list: lists.add({
        entity: base.entity,
        templateKey: base.templateKey ?? '',
        account: accountOfBase(base, { provider, account }),
        search: base.search ?? '',
        expression,
        source: base.name === undefined ? undefined : { isInput: index === 0, variables: [base.name] },
      }),
    };
  };
  const plan = views.map((view): PlanStep => {
    const operands = basesOf(view).map((base, index) => [base.name, operandOf(base, index, view)] as const);
    const named = operands.flatMap(([name, operand]) =>
      name === undefined ? [] : [[name, operand] as const],
    );
    return {
      expression: view.expression,
      input: (operands[0] as (typeof operands)[number])[1],
      variables: Object.fromEntries(named),
    };
  });
  return { lists, plan };
}

/**
 * Prepares the rows of all bases of a view with several bases, and the steps that evaluate it: the first base is also the
 * input of its expression, each one is a variable.
 * @returns the rows; their family before rows were left out, which does not change with the keys of other bases; the steps
 */
export async function planOf(
  context: Context,
  registry: ConnectorRegistry,
  { userId, bindings, asOf, urgency, signal, minRows, ...request }: PlanRequest,
): Promise<{ rows: TemplateRows; family: string; plan: readonly PlanStep[] }> {
  const { lists, plan } = stepsOf(request);
  const read = (list: List, keys?: ComparedKeys) =>
    templateRows(context, registry, { ...list, userId, bindings, asOf, keys });
  const parts: TemplateRows[] = [];
  for (const list of lists.all) parts.push(await read(list));
  const sets = parts.map((part) => part.set);
  const evaluation = { userId, bindings, urgency, ...(signal && { signal }) };
  const needed: DataSet[] = [];
  for (const [index, list] of lists.all.entries()) {
    const planned = { plan, sets, evaluation, minRows };
    const keys = await findComparedKeys(context, registry, list, { list: index, planned });
    needed.push(keys ? (await read(list, keys)).set : (sets[index] as DataSet));
  }
  const connectionIds = [...new Set(parts.flatMap((part) => part.connectionIds))];
  const { family } = setOfLists(sets);
  return { rows: { set: setOfLists(needed), connectionIds, columns: [] }, family, plan };
}
