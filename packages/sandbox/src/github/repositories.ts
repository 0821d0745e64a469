import type { PullRepository } from './pull-repository.ts';
import type { UserType } from './user-shape.ts';

/** The repositories by name and id, with their former names. */
export class Repositories {
  readonly #byId = new Map<number, PullRepository>();
  readonly #formerNames = new Map<string, number>();

  constructor(repositories: readonly PullRepository[]) {
    for (const repository of repositories) this.#byId.set(repository.id, repository);
  }

  all(): PullRepository[] {
    return [...this.#byId.values()];
  }

  byId(id: number): PullRepository | undefined {
    return this.#byId.get(id);
  }

  /** Returns the repository of this name, ignoring case. */
  byName(fullName: string): PullRepository | undefined {
    return this.all().find((repository) => repository.fullName.toLowerCase() === fullName.toLowerCase());
  }

  /** Returns the repository that had this name before. */
  byFormerName(fullName: string): PullRepository | undefined {
    const id = this.#formerNames.get(fullName.toLowerCase());
    return id === undefined ? undefined : this.#byId.get(id);
  }

  /** Renames a repository; its old name redirects to it afterwards. */
  rename(repository: PullRepository, name: string): void {
    this.#formerNames.set(repository.fullName.toLowerCase(), repository.id);
    repository.name = name;
  }

  /** Transfers a repository to another owner; its old name redirects to it afterwards. */
  transfer(repository: PullRepository, owner: string, type: UserType): void {
    this.#formerNames.set(repository.fullName.toLowerCase(), repository.id);
    repository.owner = owner;
    repository.ownerType = type;
  }

  add(repository: PullRepository): void {
    this.#byId.set(repository.id, repository);
  }

  remove(repository: PullRepository): void {
    this.#byId.delete(repository.id);
  }
}
