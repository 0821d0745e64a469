import { describe, expect, it } from 'vitest';
import { ENDPOINTS, type Endpoint, type EndpointName } from '../endpoints.ts';
import { ERROR_STATUS, errorBodySchema } from '../errors.ts';
import { ERROR_EXAMPLES, EXAMPLES } from './index.ts';

const PARTS = ['params', 'query', 'body', 'response'] as const;
const cases = Object.entries(ENDPOINTS) as [EndpointName, Endpoint][];

describe('the example', () => {
  it.each(cases)('of %s has each part, as its schema accepts it', (name, endpoint) => {
    const example = EXAMPLES[name];
    for (const part of PARTS) {
      const schema = endpoint[part];
      expect(example[part] !== undefined, part).toBe(schema !== undefined);
      // Without values that the schema adds or removes.
      if (schema) expect(schema.parse(example[part]), part).toMatchObject(example[part] as object);
      if (schema && part === 'response') expect(schema.parse(example.response)).toEqual(example.response);
    }
    expect(example.stream === undefined).toBe(endpoint.response !== undefined);
    // Each parameter of the path has a value.
    for (const [, parameter = ''] of endpoint.path.matchAll(/\{(\w+)\}/g))
      expect(example.params).toHaveProperty(parameter);
  });

  it.each(Object.entries(ERROR_EXAMPLES))('of the error %s is one', (code, example) => {
    expect(errorBodySchema.strict().parse(example)).toEqual(example);
    expect(example.error.code).toBe(code);
    expect(ERROR_STATUS).toHaveProperty(code);
  });
});
