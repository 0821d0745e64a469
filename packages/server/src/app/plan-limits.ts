import { readFileSync } from 'node:fs';
import type { Connector } from '@datadeck/connectors';
import { PLANS, type PlanLimits } from '@datadeck/contract';
import { isRecord } from '@datadeck/contract/table-columns';
import { StartError } from '../platform/start-error.ts';

/** Largest file that is read, UTF-16 units. */
const MAX_FILE = 1_000_000;
/** Largest limit: PostgreSQL's integer. */
const MAX_LIMIT = 2_147_483_647;
const LIMITS = ['cap', 'monthlyRuns'] as const;

type Limits = Partial<Record<(typeof LIMITS)[number], number | null>>;
/** Changed limits by plan and entity id. */
export type LimitChanges = Readonly<Record<string, Readonly<Record<string, Limits>>>>;

function readJson(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new StartError(
      `PLAN_LIMITS=${path} cannot be read (${reason}). Set it to a JSON file that this user may read.`,
      error,
    );
  }
  if (text.length > MAX_FILE)
    throw new StartError(`PLAN_LIMITS=${path} is too large: it may have ${MAX_FILE} characters.`);
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown error';
    throw new StartError(
      `PLAN_LIMITS=${path} is not valid JSON (${reason}). Expected, for example, {"standard": {"gmail-messages": {"cap": null, "monthlyRuns": 100}}}.`,
      error,
    );
  }
}

/** Names the members of an object that are not known. */
function unknownMembers(value: Record<string, unknown>, known: readonly string[], place: string): string[] {
  return Object.keys(value)
    .filter((name) => !known.includes(name))
    .map((name) => `${place}${name}: unknown name; expected one of ${known.join(', ')}`);
}

/** Checks one level of the file and its members with `check`. */
function checkMembers(
  value: unknown,
  { place, known, what }: { place: string; known: readonly string[]; what: string },
  check: (member: unknown, name: string) => string[],
): string[] {
  if (!isRecord(value)) return [`${place.replace(/\.$/, '') || 'the file'}: expected an object of ${what}`];
  const members = Object.entries(value).filter(([name]) => known.includes(name));
  return [
    ...unknownMembers(value, known, place),
    ...members.flatMap(([name, member]) => check(member, name)),
  ];
}

function problemsOf(file: unknown, entities: readonly string[]): string[] {
  return checkMembers(file, { place: '', known: PLANS, what: 'plans' }, (plan, planName) =>
    checkMembers(plan, { place: `${planName}.`, known: entities, what: 'entities' }, (entity, id) =>
      checkMembers(entity, { place: `${planName}.${id}.`, known: LIMITS, what: 'limits' }, (limit, name) =>
        limit === null || (Number.isInteger(limit) && Number(limit) > 0 && Number(limit) <= MAX_LIMIT)
          ? []
          : [
              `${planName}.${id}.${name}: ${JSON.stringify(limit)} is not valid; expected a whole number from 1 to ${MAX_LIMIT}, or null for no limit`,
            ],
      ),
    ),
  );
}

/**
 * Reads the file of PLAN_LIMITS.
 * @param entities ids that it may name
 * @throws StartError that names each wrong place and what was expected
 */
export function readPlanLimits(path: string, entities: readonly string[]): LimitChanges {
  const file = readJson(path);
  const problems = problemsOf(file, entities);
  if (problems.length === 0) return file as LimitChanges;
  throw new StartError(
    `PLAN_LIMITS=${path} has wrong limits:\n${problems.map((line) => `  ${line}`).join('\n')}`,
  );
}

const UNLIMITED = { cap: null, monthlyRuns: null, scopes: null };

/** What PLAN_LIMITS may name. */
export interface LimitedEntities {
  /** Ids of all entities, also of those that a connector of an administrator once had. */
  known: readonly string[];
  /** Returns whether an unknown entity belonged to a connector that was deleted. */
  isFormer(entity: string): boolean;
  /** Called for each of those that the file names. */
  onUnused(entity: string): void;
}

/** Returns the entities that the file names and nobody knows but by a deleted connector. */
function formerEntities(path: string, { known, isFormer }: LimitedEntities): string[] {
  const file = readJson(path);
  const plans = isRecord(file) ? Object.values(file).filter(isRecord) : [];
  const named = plans.flatMap((plan) => Object.keys(plan)).filter((id) => !known.includes(id));
  return [...new Set(named)].filter(isFormer);
}

/**
 * Reads PLAN_LIMITS.
 * @param setting the path of a file, `none` for no limits at all, or undefined for the connector's own; calls `onUnused` before it returns
 * @returns a function that applies the limits to a connector
 * @throws StartError for a wrong file
 */
export function planLimiter(
  setting: string | undefined,
  entities: LimitedEntities,
): (connector: Connector) => Connector {
  if (setting === undefined) return (connector) => connector;
  const limitsFor = limitsBy(setting, entities);
  return (connector) => ({
    ...connector,
    entities: connector.entities.map((entity) => ({
      ...entity,
      limits: limitsFor(entity.id, entity.limits),
    })),
  });
}

/** Returns a function that changes the limits of an entity as PLAN_LIMITS says. @throws StartError for a wrong file */
function limitsBy(
  setting: string,
  entities: LimitedEntities,
): (id: string, limits: PlanLimits) => PlanLimits {
  if (setting === 'none') return () => ({ demo: UNLIMITED, standard: UNLIMITED, pro: UNLIMITED });
  const former = formerEntities(setting, entities);
  for (const id of former) entities.onUnused(id);
  const changes = readPlanLimits(setting, [...entities.known, ...former]);
  return (id, limits) => ({
    demo: { ...limits.demo, ...changes.demo?.[id] },
    standard: { ...limits.standard, ...changes.standard?.[id] },
    pro: { ...limits.pro, ...changes.pro?.[id] },
  });
}
