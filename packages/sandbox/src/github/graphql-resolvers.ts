import type { GithubCaller, GithubService } from './github-service.ts';
import { type ConnectionOrder, connection, type PageArguments } from './graphql-connection.ts';
import { FieldError } from './graphql-error.ts';
import { nodeId } from './links.ts';
import { keptSelection } from './list-query.ts';
import { isPermitted, NO_PERMISSION } from './permissions.ts';
import type { PullRepository, PullRow } from './pull-repository.ts';
import type { IssueFacts, ReviewFacts } from './record-facts.ts';
import { isVisible } from './repository-lookup.ts';
import type { Shape } from './repository-scene.ts';
import { userShape } from './user-shape.ts';

/** The caller of a query, and what its field `rateLimit` says. */
export interface QueryContext {
  github: GithubService;
  visitor: GithubCaller;
  rateLimit: Record<string, unknown>;
}

/** What issues and pull requests are ordered by. */
type OrderedRow = Pick<PullRow, 'id' | 'comments' | 'createdAt' | 'updatedAt'>;

interface PullArguments extends PageArguments {
  states?: string[] | null;
  baseRefName?: string | null;
  headRefName?: string | null;
  orderBy?: { field: 'COMMENTS' | 'CREATED_AT' | 'UPDATED_AT'; direction: 'ASC' | 'DESC' } | null;
}

type IssueArguments = Pick<PullArguments, 'orderBy' | 'states' | keyof PageArguments>;

interface ReviewArguments extends PageArguments {
  author?: string | null;
  states?: string[] | null;
}

/** Returns the root object of a query; fields with arguments are its methods. */
export function rootOf(context: QueryContext): Record<string, unknown> {
  const { github, visitor, rateLimit } = context;
  return {
    rateLimit,
    viewer: () => ({ ...actor(userShape(github.links, visitor.account.login)), name: visitor.account.name }),
    repository: (asked: { owner: string; name: string; followRenames: boolean }) => {
      const fullName = `${asked.owner}/${asked.name}`;
      const { repositories } = github;
      const found =
        repositories.byName(fullName) ??
        (asked.followRenames ? repositories.byFormerName(fullName) : undefined);
      if (!found || !isVisible(found, visitor))
        throw new FieldError('NOT_FOUND', `Could not resolve to a Repository with the name '${fullName}'.`);
      return repositoryNode(context, found);
    },
    node: ({ id }: { id: string }) => nodeOf(context, id),
    nodes: ({ ids }: { ids: string[] }) =>
      ids.map((id) => {
        try {
          return nodeOf(context, id);
        } catch (error) {
          return error;
        }
      }),
  };
}

/** Returns the pull request of a node id. @throws FieldError NOT_FOUND, FORBIDDEN */
function nodeOf(context: QueryContext, id: string): Record<string, unknown> {
  for (const repository of context.github.repositories.all()) {
    if (!isVisible(repository, context.visitor)) continue;
    const row = repository.rows().find((each) => nodeId('PR', each.id) === id);
    if (!row) continue;
    requirePulls(context, repository);
    return pullNode(context, repository, row);
  }
  throw new FieldError('NOT_FOUND', `Could not resolve to a node with the global id of '${id}'`);
}

function requirePulls({ visitor }: QueryContext, { visibleTo }: PullRepository): void {
  if (isPermitted(visitor, visibleTo !== undefined, ['pull_requests'])) return;
  throw new FieldError('FORBIDDEN', NO_PERMISSION, { saml_failure: false });
}

function requireIssues({ visitor }: QueryContext, { visibleTo }: PullRepository): void {
  if (isPermitted(visitor, visibleTo !== undefined, ['issues'])) return;
  throw new FieldError('FORBIDDEN', NO_PERMISSION, { saml_failure: false });
}

function repositoryNode(context: QueryContext, repository: PullRepository): Record<string, unknown> {
  const { id, name, fullName, visibleTo } = repository;
  return {
    __typename: 'Repository',
    id: nodeId('R', id),
    databaseId: id,
    name,
    nameWithOwner: fullName,
    isPrivate: visibleTo !== undefined,
    url: `${context.github.links.web}/${fullName}`,
    issues: (asked: IssueArguments) => {
      requireIssues(context, repository);
      const { rows, order } = selectIssues(repository, asked);
      return connection('issues', rows, order, asked, ({ id: issue, number, title }) => ({
        __typename: 'Issue',
        id: nodeId('I', issue),
        number,
        title,
      }));
    },
    pullRequests: (asked: PullArguments) => {
      requirePulls(context, repository);
      const { rows, order } = selectPulls(context, repository, asked);
      return connection('pullRequests', rows, order, asked, (row) => pullNode(context, repository, row));
    },
  };
}

const VALUES: Record<string, (row: OrderedRow) => number> = {
  COMMENTS: (row) => row.comments,
  CREATED_AT: (row) => row.createdAt,
  UPDATED_AT: (row) => row.updatedAt,
};

function selectIssues(
  { activity }: PullRepository,
  { orderBy, states }: IssueArguments,
): { rows: readonly IssueFacts[]; order: ConnectionOrder<IssueFacts> } {
  const { field, direction } = orderBy ?? { field: 'CREATED_AT', direction: 'ASC' };
  const order = { value: VALUES[field] ?? (() => 0), isDescending: direction === 'DESC' };
  const sign = order.isDescending ? -1 : 1;
  const all = activity.issues.rows();
  const rows = keptSelection(all, JSON.stringify(['graphql', field, direction, states]), () =>
    all
      .filter(({ state }) => !states || states.includes(state.toUpperCase()))
      .sort((one, other) => sign * (order.value(one) - order.value(other) || one.id - other.id)),
  );
  return { rows, order };
}

function selectPulls(
  { github: { links } }: QueryContext,
  repository: PullRepository,
  { orderBy, states, baseRefName, headRefName }: PullArguments,
): { rows: readonly PullRow[]; order: ConnectionOrder<PullRow> } {
  const { field, direction } = orderBy ?? { field: 'CREATED_AT', direction: 'ASC' };
  const order = { value: VALUES[field] ?? (() => 0), isDescending: direction === 'DESC' };
  const sign = order.isDescending ? -1 : 1;
  const key = JSON.stringify(['graphql', field, direction, states, baseRefName, headRefName]);
  const stateOf = (row: PullRow) =>
    row.state === 'closed' && repository.shape(row, 'list', links).merged_at != null
      ? 'MERGED'
      : row.state.toUpperCase();
  const isWanted = (row: PullRow) =>
    (!states || states.includes(stateOf(row))) &&
    (!baseRefName || row.baseRef === baseRefName) &&
    (!headRefName || row.headLabel.endsWith(`:${headRefName}`));
  const rows = keptSelection(repository.rows(), key, () =>
    repository
      .rows()
      .filter(isWanted)
      .sort((one, other) => sign * (order.value(one) - order.value(other) || one.id - other.id)),
  );
  return { rows, order };
}

function pullNode(context: QueryContext, repository: PullRepository, row: PullRow): Record<string, unknown> {
  const pull = repository.shape(row, 'list', context.github.links);
  const isMerged = pull.merged_at != null;
  const state = isMerged ? 'MERGED' : String(pull.state).toUpperCase();
  const node = {
    __typename: 'PullRequest',
    id: pull.node_id,
    fullDatabaseId: String(pull.id),
    number: pull.number,
    title: pull.title,
    body: pull.body ?? '',
    url: pull.html_url,
    createdAt: pull.created_at,
    updatedAt: pull.updated_at,
    closedAt: pull.closed_at,
    mergedAt: pull.merged_at,
    merged: isMerged,
    isDraft: pull.draft ?? false,
    state,
    author: actor(pull.user),
    authorAssociation: pull.author_association ?? 'NONE',
    repository: () => repositoryNode(context, repository),
    reviews: (asked: ReviewArguments) =>
      connection('reviews', selectReviews(context, repository, row, asked), BY_TIME, asked, (review) =>
        reviewNode(context, repository, review, () => pullNode(context, repository, row)),
      ),
  };
  return node;
}

const BY_TIME: ConnectionOrder<ReviewFacts> = { value: ({ createdAt }) => createdAt, isDescending: false };

/** Returns the reviews of a pull request that the caller sees: pending ones are for their author. */
function selectReviews(
  { visitor }: QueryContext,
  { activity }: PullRepository,
  { number }: PullRow,
  { author, states }: ReviewArguments,
): readonly ReviewFacts[] {
  return activity
    .reviewsOf(number)
    .filter(
      (review) =>
        (review.state !== 'PENDING' || review.author === visitor.account.login) &&
        (!author || review.author === author) &&
        (!states || states.includes(review.state)),
    );
}

function reviewNode(
  { github }: QueryContext,
  repository: PullRepository,
  review: ReviewFacts,
  pullRequest: () => Record<string, unknown>,
): Record<string, unknown> {
  const scene = repository.scene(github.links);
  const shape = repository.activity.reviews.shape(review, scene);
  const {
    commit_id: oid,
    id,
    node_id,
    user,
    html_url,
    created_at,
    updated_at,
    submitted_at,
    ...more
  } = shape;
  return {
    ...more,
    __typename: 'PullRequestReview',
    id: node_id,
    fullDatabaseId: String(id),
    url: html_url,
    createdAt: created_at,
    updatedAt: updated_at,
    submittedAt: submitted_at,
    authorAssociation: shape.author_association,
    author: actor(user),
    commit:
      typeof oid === 'string'
        ? { __typename: 'Commit', id: `C_${oid}`, oid, url: `${scene.web}/commit/${oid}` }
        : null,
    pullRequest,
  };
}

/** Returns an account as GraphQL has it: null for a deleted one, and bots without the end of their login. */
function actor(user: unknown): Shape | null {
  const { login, id, node_id, html_url, type } = (user ?? {}) as Shape;
  if (typeof login !== 'string' || login === 'ghost') return null;
  const name = login.replace(/\[bot\]$/, '');
  const path = `/${type === 'Bot' ? 'apps/' : ''}${name}`;
  return { __typename: type, login: name, id: node_id, databaseId: id, url: html_url, resourcePath: path };
}
