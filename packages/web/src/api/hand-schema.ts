/**
 * A hand-written Standard Schema (standardschema.dev), the form that RTK Query accepts. The login screen uses it for
 * its few responses, so that it does not load the schema library.
 */
export interface HandSchema<T> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'datadeck';
    readonly validate: (
      value: unknown,
    ) => { readonly value: T } | { readonly issues: readonly { message: string }[] };
  };
}

/** Makes a schema from a function. @param read returns the checked value, or throws if it is invalid */
export function handSchema<T>(read: (value: unknown) => T): HandSchema<T> {
  return {
    '~standard': {
      version: 1,
      vendor: 'datadeck',
      validate(value) {
        try {
          return { value: read(value) };
        } catch (reason) {
          return { issues: [{ message: String(reason) }] };
        }
      },
    },
  };
}

/** Returns the members of an object. @throws TypeError for anything else */
export function membersOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TypeError('not an object');
  return { ...value };
}

/** Returns a non-empty string. @throws TypeError for anything else */
export function textOf(value: unknown): string {
  if (typeof value !== 'string' || value === '') throw new TypeError('not a non-empty string');
  return value;
}
