/** Thrown when a part of the app's code cannot be loaded: the server is unreachable or has a newer build. */
export class CodeMissingError extends Error {
  constructor(cause: unknown) {
    super('The code of this screen could not be loaded.', { cause });
    this.name = 'CodeMissingError';
  }
}

/** Loads a part of the app's code. @throws CodeMissingError */
export async function fetchCode<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (reason) {
    throw new CodeMissingError(reason);
  }
}
