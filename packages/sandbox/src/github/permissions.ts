import { GithubError } from './github-error.ts';

/** A permission of fine-grained tokens, as in the header `x-accepted-github-permissions`. */
export type Permission = 'issues' | 'pull_requests' | 'actions' | 'contents';

/** Who reads, with the permissions of the token; undefined without a token. */
type Reader = { permissions: ReadonlySet<Permission> } | undefined;

/** All permissions that the sandbox knows. */
export const PERMISSIONS: readonly Permission[] = ['issues', 'pull_requests', 'actions', 'contents'];

/** The permissions of which an endpoint needs one, and its page in the documentation. */
export interface EndpointAccess {
  anyOf: readonly Permission[];
  page: string;
}

/** The message of a refusal, at REST and GraphQL. */
export const NO_PERMISSION = 'Resource not accessible by personal access token';

/** Returns whether a caller has one of the permissions. Public repositories need none. */
export function isPermitted(visitor: Reader, isPrivate: boolean, anyOf: readonly Permission[]): boolean {
  return !isPrivate || visitor === undefined || anyOf.some((each) => visitor.permissions.has(each));
}

/** Checks that a fine-grained token may read an endpoint of a private repository. @throws GithubError 403 */
export function requirePermission(visitor: Reader, isPrivate: boolean, access: EndpointAccess): void {
  if (isPermitted(visitor, isPrivate, access.anyOf)) return;
  throw new GithubError(403, NO_PERMISSION, {
    documentation: `https://docs.github.com/rest${access.page}`,
    headers: { 'x-accepted-github-permissions': access.anyOf.map((each) => `${each}=read`).join('; ') },
  });
}
