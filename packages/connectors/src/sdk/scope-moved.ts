import { ProviderError } from './provider-error.ts';

/**
 * Thrown when the scope of a run is now at another place, e.g. because a repository was renamed or transferred, if the
 * request has `reportsMoves`. The caller reads the new place and renames what it has stored.
 */
export class ScopeMoved extends ProviderError {
  /** Settings that select the scope at its new place, e.g. `{ owner: 'octo', repo: 'hello' }`. */
  readonly settings: Readonly<Record<string, string>>;

  /** @param message a sentence for the user, e.g. "octo/hi is now octo/hello." */
  constructor(message: string, settings: Readonly<Record<string, string>>) {
    super('not-found', message);
    this.name = 'ScopeMoved';
    this.settings = settings;
  }
}
