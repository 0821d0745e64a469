import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

/** A JSON Schema, or a part of one. */
export type Schema = { [key: string]: Schema };

/** The cut of GitHub's description that the repository contains. */
export const ACTIVITY_DESCRIPTION = fileURLToPath(
  new URL('./github-openapi/activity.openapi.json', import.meta.url),
);

/** Returns a function that compiles a schema of an OpenAPI description. @param amend changes the definitions first */
export function readChecks(
  path: string,
  amend: (definitions: Schema) => void,
): (name: string) => ValidateFunction {
  const text = readFileSync(path, 'utf8').replaceAll('#/components/schemas/', '#/definitions/');
  const definitions = (JSON.parse(text) as { components: { schemas: Schema } }).components.schemas;
  amend(definitions);
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'github', definitions: withNulls(definitions) as Schema });
  return (name) => ajv.compile({ $ref: `github#/definitions/${name}` });
}

/** Converts OpenAPI 3.0's `nullable` to JSON Schema's type null. */
function withNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNulls);
  if (typeof value !== 'object' || value === null) return value;
  const { nullable, example: _example, ...rest } = value as Record<string, unknown>;
  const copy: Record<string, unknown> = Object.fromEntries(
    Object.entries(rest).map(([key, child]) => [key, withNulls(child)]),
  );
  if (nullable !== true) return copy;
  return { anyOf: [copy, { type: 'null' }] };
}
