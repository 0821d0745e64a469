import type { JoinKeys } from '@datadeck/jsonata';
import { appErrorOf } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import {
  type DataSet,
  type Evaluation,
  NO_ROWS,
  type Operand,
  type PlanStep,
  setOfLists,
} from '../../platform/evaluation/index.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { type ComparedKeys, findJoinKeys, type RowsRequest } from '../templates/index.ts';

/** Smaller lists are read as a whole: evaluating the keys first takes as long. */
const MIN_ROWS = 20_000;
/** How many times as long as the lists that have the keys a list must be. */
const MIN_RATIO = 4;
/** Errors after which the whole expression is evaluated over all rows, and fails or not. */
const IGNORED: ReadonlySet<string | undefined> = new Set(['expression-failed', 'query-too-complex']);

/** The lists of rows that a plan reads, and how its expressions are evaluated. */
export interface PlannedLists {
  plan: readonly PlanStep[];
  /** The rows of each list. */
  sets: readonly DataSet[];
  evaluation: Pick<Evaluation, 'userId' | 'bindings' | 'urgency' | 'signal'>;
  /** Default: 20,000. */
  minRows?: number | undefined;
}

/** Returns the evaluation of the keys; undefined when they come from views, or from lists that are not much shorter. */
function evaluationOfKeys(
  list: number,
  { variables, readsInput }: JoinKeys,
  { plan, sets, evaluation }: PlannedLists,
): Evaluation | undefined {
  const isList = (operand: Operand) => 'list' in operand && operand.list === list;
  const step = plan.find((one) => Object.values(one.variables).some(isList)) as PlanStep;
  const named = Object.entries(step.variables);
  const read = named.filter(([name]) => variables.has(name));
  const operands = [...read.map(([, operand]) => operand), ...(readsInput ? [step.input] : [])];
  const positions = new Set(operands.map((operand) => ('list' in operand ? operand.list : -1)));
  const rows = [...positions].reduce((sum, position) => sum + (sets[position]?.rows ?? 0), 0);
  if (positions.has(-1) || rows * MIN_RATIO > (sets[list]?.rows ?? 0)) return undefined;
  const keysOf = {
    isInput: isList(step.input),
    variables: named.filter(([, operand]) => isList(operand)).map(([name]) => name),
  };
  const input = readsInput ? step.input : { list };
  return {
    ...evaluation,
    rows: setOfLists(sets.map((set, position) => (positions.has(position) ? set : NO_ROWS))),
    plan: [{ expression: step.expression, input, variables: Object.fromEntries(read), keysOf }],
    chain: [],
  };
}

/**
 * Finds the keys with which a view compares the rows of a long list, so that only rows with these keys are read. Costs an
 * evaluation over the lists that have the keys. Undefined when all rows may be needed, or reading them is faster.
 * @param request the list as it is read by the plan
 * @throws AppError rate-limited
 */
export async function findComparedKeys(
  context: Context,
  registry: ConnectorRegistry,
  { source, ...request }: Omit<RowsRequest, 'userId'>,
  { list, planned }: { list: number; planned: PlannedLists },
): Promise<ComparedKeys | undefined> {
  const { rows = 0 } = planned.sets[list] as DataSet;
  if (source === undefined || rows < (planned.minRows ?? MIN_ROWS)) return undefined;
  const found = findJoinKeys(registry, { ...request, source });
  const evaluation = found && evaluationOfKeys(list, found, planned);
  if (found === undefined || evaluation === undefined) return undefined;
  try {
    const { text } = await context.evaluation.page(evaluation, { offset: 0, limit: 1 });
    const [values] = JSON.parse(text) as (string | number)[][];
    return values && { fields: found.fields, values };
  } catch (error) {
    if (IGNORED.has(appErrorOf(error)?.code)) return undefined;
    throw error;
  }
}
