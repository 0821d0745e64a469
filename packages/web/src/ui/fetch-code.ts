/** Thrown when a part of the app could not be fetched: the connection is down, or the server has another build. */
export class CodeMissingError extends Error {
  constructor(cause: unknown) {
    super('The code of this screen could not be fetched.', { cause });
    this.name = 'CodeMissingError';
  }
}

/** Loads a part of the app. @throws CodeMissingError */
export async function fetchCode<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (reason) {
    throw new CodeMissingError(reason);
  }
}
