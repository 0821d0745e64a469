import type { FastifySchemaCompiler } from 'fastify';
import type { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import { MOST_FIELDS, shortPath } from './wrong-fields.ts';

/** What is missing is told as the forms tell it. */
function requiredWhereMissing({ input }: { input?: unknown }): string | undefined {
  return input === undefined || input === null ? 'Required' : undefined;
}

/** The first thing that is wrong with each of the first fields, by its dotted path. */
function fieldsOf({ issues }: z.ZodError): Record<string, string> {
  const entries = issues.map(
    ({ path, message }) => [shortPath(path.map(String).join('.') || 'body'), message] as const,
  );
  const first = new Map<string, string>();
  for (const [path, message] of entries) if (!first.has(path)) first.set(path, message);
  return Object.fromEntries([...first].slice(0, MOST_FIELDS));
}

/** Fastify's validator compiler: parses a part of a request by its schema. What does not fit is `validation-failed`. */
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
