import type { FastifySchemaCompiler } from 'fastify';
import type { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import { MAX_FIELDS, shortPath } from './wrong-fields.ts';

/** Uses the forms' message 'Required' for missing values. */
function requiredWhereMissing({ input }: { input?: unknown }): string | undefined {
  return input === undefined || input === null ? 'Required' : undefined;
}

/** Returns the first error of each invalid field by its dotted path, for at most `MAX_FIELDS` fields. */
function fieldsOf({ issues }: z.ZodError): Record<string, string> {
  const entries = issues.map(
    ({ path, message }) => [shortPath(path.map(String).join('.') || 'body'), message] as const,
  );
  const first = new Map<string, string>();
  for (const [path, message] of entries) if (!first.has(path)) first.set(path, message);
  return Object.fromEntries([...first].slice(0, MAX_FIELDS));
}

/** Fastify's validator compiler: parses a part of a request with its schema. Failures are `validation-failed`. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> =
  ({ schema }) =>
  (part: unknown) => {
    const parsed = schema.safeParse(part, { error: requiredWhereMissing });
    if (parsed.success) return { value: parsed.data };
    return {
      error: new AppError('validation-failed', 'The request is not valid.', {
        fields: fieldsOf(parsed.error),
      }),
    };
  };
