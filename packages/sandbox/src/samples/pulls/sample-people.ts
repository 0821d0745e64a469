import { hash } from 'node:crypto';
import type { PullFacts } from '../../github/pull-facts.ts';
import type { Association } from '../../github/record-facts.ts';
import type { SeededRandom } from '../seeded-random.ts';
import type { PullProject } from './pull-project.ts';

/** Returns the relation of a login to a project. */
export function associationOf(project: PullProject, login: string): Association {
  const { owner, ownerType } = project.repository;
  if (login === owner) return 'OWNER';
  if (project.members.includes(login)) return ownerType === 'Organization' ? 'MEMBER' : 'COLLABORATOR';
  return project.contributors.includes(login) ? 'CONTRIBUTOR' : 'NONE';
}

/** Returns one of the people; earlier ones are more likely. */
export function pickEarly(random: SeededRandom, logins: readonly string[]): string {
  return logins[Math.floor(random.next() ** 1.6 * logins.length)] ?? random.pick(logins);
}

/** Returns whether a login is that of a bot. */
export function isBot(login: string): boolean {
  return login.endsWith('[bot]');
}

/** Returns the first id of a kind of records in a repository; ids are the same in every run. */
export function idBase(repositoryId: number): number {
  return 10_000_000_000 + (repositoryId % 9000) * 1_000_000_000;
}

/** Cuts a time to whole seconds. */
export function wholeSeconds(time: number): number {
  return Math.floor(time / 1000) * 1000;
}

/** Returns the hash of a pull request's head, as its list has it. */
export function headSha(project: PullProject, pull: Pick<PullFacts, 'number'>): string {
  return hash('sha1', `${project.repository.id}/head/${pull.number}`);
}
