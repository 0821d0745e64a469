import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ENDPOINTS, type Endpoint } from './endpoints.ts';

interface JsonSchema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  maxLength?: number;
  maxItems?: number;
  maximum?: number;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  propertyNames?: JsonSchema;
  additionalProperties?: JsonSchema | boolean;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
}

/** Lists the paths of a schema that have no maximum. */
function unbounded(schema: JsonSchema, path: string): string[] {
  const { items, properties = {}, additionalProperties, propertyNames } = schema;
  const found: string[] = [];
  const isFixed = schema.enum !== undefined || schema.const !== undefined;
  if (schema.type === 'string' && schema.maxLength === undefined && !isFixed) found.push(path);
  if (schema.type === 'array' && schema.maxItems === undefined) found.push(`${path}[]`);
  for (const inner of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])])
    found.push(...unbounded(inner, path));
  if (items) found.push(...unbounded(items, `${path}[]`));
  for (const [name, inner] of Object.entries(properties)) found.push(...unbounded(inner, `${path}.${name}`));
  if (typeof additionalProperties === 'object') found.push(...unbounded(additionalProperties, `${path}.*`));
  if (typeof additionalProperties === 'object' && propertyNames)
    found.push(...unbounded(propertyNames, `${path}.(name)`));
  return found;
}

describe('endpoint request', () => {
  const parts = Object.entries<Endpoint>(ENDPOINTS).flatMap(([name, { params, query, body }]) =>
    Object.entries({ params, query, body }).flatMap(([part, schema]) =>
      schema ? [[`${name} ${part}`, schema] as const] : [],
    ),
  );

  // @covers 5.text-list-request
  it.each(parts)('has a maximum for every text and list: %s', (name, schema) => {
    const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
    expect(unbounded(json, name)).toEqual([]);
  });
});
