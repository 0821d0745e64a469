/** Returns the expression for the names by which a repository is found: `owner/name`, its name and its owner. */
export function repositoryNames(fullName: string): string {
  return `array[${fullName}, split_part(${fullName}, '/', 2), split_part(${fullName}, '/', 1)]`;
}

/** A list of names without any. */
export const NO_NAMES = `'{}'::text[]`;
/** Most characters of a text that are searched. */
export const SEARCHED_LENGTH = 65_536;
