import { type ConnectForm, checkConnectValues, matchesPattern, PLANS } from '@datadeck/contract';
import type { Connector, EntityDefinition } from './connector.ts';
import { findingProblems } from './finding-problems.ts';
import { tableProblems } from './table-problems.ts';

/** Keys are part of URLs. */
const KEY = /^[a-z][a-z0-9-]*$/;
/** `/auth/demo` is reserved for the demo user's sign-in. */
const RESERVED_KEYS = ['demo'];
/** HTML allowed in descriptions: elements without attributes, and https links. */
const HARMLESS = /<\/?(?:p|strong|em|b|i|code|ul|ol|li|br)>|<a href="https:\/\/[^"<>]*">|<\/a>/g;

function isPattern(pattern: string): boolean {
  try {
    matchesPattern('', pattern);
    return true;
  } catch {
    return false;
  }
}

function repeated(names: readonly string[]): string[] {
  return names.filter((name, index) => names.indexOf(name) !== index);
}

function limitProblems({ limits }: EntityDefinition): string[] {
  return PLANS.filter((plan) => {
    const { cap, monthlyRuns } = limits[plan];
    return ![cap, monthlyRuns].every((limit) => limit === null || (Number.isInteger(limit) && limit > 0));
  }).map((plan) => `its limits of the plan ${plan} are no counts`);
}

function entityProblems(connector: Connector, entity: EntityDefinition): string[] {
  const { id, title, description, dependsOn, settings } = entity;
  const known = connector.entities.map((one) => one.id);
  return [
    ...(KEY.test(id) ? [] : ['its id does not fit into an address']),
    ...(title.trim() === '' ? ['it has no title'] : []),
    ...(/[<>]/.test(description.replaceAll(HARMLESS, ''))
      ? ['its description has HTML that is not shown']
      : []),
    ...dependsOn
      .filter((one) => !known.includes(one.entity))
      .map((one) => `there is no entity ${one.entity}`),
    ...repeated(settings.map(({ propKey }) => propKey)).map((key) => `it has two settings ${key}`),
    ...settings
      .filter(({ pattern }) => !isPattern(pattern))
      .map(({ propKey }) => `${propKey} has no pattern`),
    ...limitProblems(entity),
    ...tableProblems(entity),
    ...findingProblems(entity),
  ].map((problem) => `entity ${id}: ${problem}`);
}

function presetProblems({ fields, presets }: ConnectForm): string[] {
  return presets.flatMap(({ label, values }) => {
    const known = fields.filter(({ name }) => name in values);
    const errors = Object.keys(checkConnectValues(known, values).errors);
    const unknown = Object.keys(values).filter((name) => fields.every((field) => field.name !== name));
    return [...errors, ...unknown].map((name) => `preset ${label}: it has a wrong value for ${name}`);
  });
}

function formProblems({ authorization, formAuthorization }: Connector): string[] {
  if (!formAuthorization) return authorization ? [] : ['there is no way to connect it'];
  const { fields } = formAuthorization.form;
  const wrong = fields.filter(({ pattern }) => !isPattern(pattern));
  if (wrong.length > 0) return wrong.map(({ name }) => `field ${name}: its pattern is none`);
  const defaults = fields.filter(({ defaultValue }) => defaultValue !== '');
  const given = Object.fromEntries(defaults.map(({ name, defaultValue }) => [name, defaultValue]));
  return [
    ...repeated(fields.map(({ name }) => name)).map((name) => `it has two fields ${name}`),
    ...Object.keys(checkConnectValues(defaults, given).errors).map(
      (name) => `field ${name} does not take its own default`,
    ),
    ...presetProblems(formAuthorization.form),
  ];
}

/** Returns the faults of a connector's declaration as sentences; an empty list if there are none. */
export function declarationProblems(connector: Connector): string[] {
  const { key, title, quota, apiUrl, classify, entities } = connector;
  const { concurrency, maxConcurrency = concurrency } = quota;
  return [
    ...(KEY.test(key) && !RESERVED_KEYS.includes(key) ? [] : ['its key does not fit into an address']),
    ...(title.trim() === '' ? ['it has no title'] : []),
    ...(quota.unitsPerMinute > 0 ? [] : ['its quota lets nothing in']),
    ...(Number.isInteger(concurrency) && concurrency > 0 && maxConcurrency >= concurrency
      ? []
      : ['its concurrency is no count, or more than the most']),
    ...((apiUrl === undefined) === (classify === undefined)
      ? []
      : ['an address of an API and the meaning of its refusals belong together']),
    ...(entities.length > 0 ? [] : ['it has no entities']),
    ...repeated(entities.map(({ id }) => id)).map((id) => `it has two entities ${id}`),
    ...repeated(entities.flatMap(({ templates }) => templates.map((template) => template.key))).map(
      (name) => `it has two templates ${name}`,
    ),
    ...formProblems(connector),
    ...entities.flatMap((entity) => entityProblems(connector, entity)),
  ].map((problem) => `connector ${key}: ${problem}`);
}
