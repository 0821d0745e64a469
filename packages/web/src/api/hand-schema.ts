/** A hand-written check in the form that RTK Query takes (standardschema.dev), for the few answers that the login screen reads without the schema library. */
export interface HandSchema<T> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'datadeck';
    readonly validate: (
      value: unknown,
    ) => { readonly value: T } | { readonly issues: readonly { message: string }[] };
  };
}

/** @param read gives the checked value, or throws when it is something else */
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

/** The members of an object; throws for anything else. */
export function membersOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TypeError('not an object');
  return { ...value };
}

/** A text that is not empty; throws for anything else. */
export function textOf(value: unknown): string {
  if (typeof value !== 'string' || value === '') throw new TypeError('not a text');
  return value;
}
