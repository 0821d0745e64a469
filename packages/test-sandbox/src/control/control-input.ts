import { FAULTS } from '../faults/fault-catalogue.ts';
import type { Api } from '../faults/fault-entry.ts';
import type { FaultMatch, FaultOptions, FaultSpec } from '../faults/fault-injector.ts';
import type { SandboxControl } from './sandbox-control.ts';

const APIS: readonly Api[] = ['google', 'gmail', 'microsoft', 'github-oauth', 'github'];

/** Parses a fault from JSON; `match.path` is the source of a regular expression. @throws RangeError */
export function readFaultSpec(body: unknown): FaultSpec {
  const fields = objectOf(body, 'The body');
  const entry = FAULTS.find((each) => each.name === fields.name);
  if (!entry) throw new RangeError(`No fault is called "${String(fields.name)}"`);
  const { times, afterRequests } = fields;
  return {
    name: entry.name,
    ...(typeof times === 'number' ? { times } : {}),
    ...(typeof afterRequests === 'number' ? { afterRequests } : {}),
    ...(fields.match === undefined ? {} : { match: readMatch(objectOf(fields.match, 'match')) }),
    ...(fields.options === undefined ? {} : { options: readOptions(objectOf(fields.options, 'options')) }),
  };
}

function readMatch(fields: Record<string, unknown>): FaultMatch {
  const api = APIS.find((each) => each === fields.api);
  if (fields.api !== undefined && !api) throw new RangeError(`match.api must be one of ${APIS.join(', ')}`);
  return {
    ...(api ? { api } : {}),
    ...(typeof fields.method === 'string' ? { method: fields.method } : {}),
    ...(typeof fields.path === 'string' ? { path: new RegExp(fields.path) } : {}),
    ...(typeof fields.account === 'string' ? { account: fields.account } : {}),
  };
}

function readOptions(fields: Record<string, unknown>): FaultOptions {
  const { seconds, milliseconds, count, location, name } = fields;
  return {
    ...(typeof seconds === 'number' ? { seconds } : {}),
    ...(typeof milliseconds === 'number' ? { milliseconds } : {}),
    ...(typeof count === 'number' ? { count } : {}),
    ...(typeof location === 'string' ? { location } : {}),
    ...(typeof name === 'string' ? { name } : {}),
  };
}

/** Returns a function that calls the control method that JSON names, with its arguments. @throws RangeError */
export function readAction(control: SandboxControl, body: unknown): () => unknown {
  const { target, arguments: given } = objectOf(body, 'The body');
  const [group = '', name = ''] = String(target).split('.');
  const methods =
    group === 'google' || group === 'gmail' || group === 'microsoft' || group === 'github'
      ? new Map<string, unknown>(Object.entries(control[group]))
      : undefined;
  const method = methods?.get(name);
  if (typeof method !== 'function') throw new RangeError(`There is no action "${String(target)}"`);
  const list: unknown[] = Array.isArray(given) ? given : [];
  return () => method(...list);
}

function objectOf(value: unknown, name: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new RangeError(`${name} must be an object`);
  return { ...value };
}
