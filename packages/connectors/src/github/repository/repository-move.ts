import { z } from 'zod';
import { type ReadRequest, ScopeMoved } from '../../sdk/index.ts';
import { isRepositoryName, type Repository, settingsOf } from './repository-names.ts';

/** A request for a repository. */
interface RepositoryRequest {
  request: Pick<ReadRequest, 'client' | 'reportsMoves'>;
  repository: Repository;
  signal: AbortSignal;
}

const repositorySchema = z.object({ full_name: z.string() });
/** Where GitHub redirects requests for a repository that was renamed or transferred. */
const BY_ID = /\/(repositories\/\d{1,20})(?:\/|$)/;
const BY_NAME = /\/repos\/([^/]+\/[^/]+)(?:\/|$)/;

function isAt(path: string, repository: Repository): boolean {
  return path.endsWith(repository.path) || path.includes(`${repository.path}/`);
}

/** Returns the current name of the repository that answered; undefined if it is unknown. */
async function nameAt({ request, signal }: RepositoryRequest, path: string): Promise<string | undefined> {
  const id = BY_ID.exec(path)?.[1];
  if (id === undefined) return BY_NAME.exec(path)?.[1];
  const { body } = await request.client.get({ path: `/${id}`, units: 1, signal });
  return repositorySchema.safeParse(body).data?.full_name;
}

/**
 * Reports that a repository was renamed or transferred, if the request asks for it. One request finds its current name,
 * however often it was moved; one that has its old name again is not moved.
 * @param answeredAt URL of the answer, after redirects
 * @throws ScopeMoved
 */
export async function reportMove(source: RepositoryRequest, answeredAt: string): Promise<void> {
  const { request, repository } = source;
  const { pathname } = new URL(answeredAt);
  if (!request.reportsMoves || isAt(pathname, repository)) return;
  const name = await nameAt(source, pathname);
  const isMoved = name !== undefined && name.toLowerCase() !== repository.name.toLowerCase();
  if (!isMoved || !isRepositoryName(name)) return;
  throw new ScopeMoved(`${repository.name} is now ${name} on GitHub.`, settingsOf(name));
}
