import { type StartedSandbox, startSandbox } from '@datadeck/test-sandbox';
import { Octokit } from 'octokit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ask, authorizeGithub } from '../../test-support/sign-in.ts';

const REVIEW =
  'id fullDatabaseId state body url createdAt updatedAt submittedAt authorAssociation author { __typename login } commit { oid }';
const REVIEWS = `query Reviews($owner: String!, $name: String!, $first: Int!, $after: String, $field: IssueOrderField!) {
  repository(owner: $owner, name: $name) {
    databaseId nameWithOwner
    pullRequests(first: $first, after: $after, orderBy: { field: $field, direction: DESC }) {
      totalCount
      pageInfo { hasNextPage endCursor }
      nodes {
        id fullDatabaseId number title url createdAt updatedAt closedAt mergedAt isDraft state
        author { __typename login }
        reviews(first: 50) { totalCount pageInfo { hasNextPage endCursor } nodes { ${REVIEW} } }
      }
    }
  }
  rateLimit { cost remaining resetAt }
}`;
const MORE = `query More($id: ID!, $after: String) {
  node(id: $id) { ... on PullRequest { reviews(first: 100, after: $after) { pageInfo { hasNextPage endCursor } nodes { ${REVIEW} } } } }
  rateLimit { cost remaining resetAt }
}`;

interface Page<Node> {
  totalCount: number;
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
  nodes: Node[];
}
interface Review {
  id: string;
  fullDatabaseId: string;
  state: string;
  submittedAt: string | null;
  author: { __typename: string; login: string } | null;
  commit: { oid: string } | null;
}
interface Pull {
  id: string;
  fullDatabaseId: string;
  number: number;
  createdAt: string;
  updatedAt: string;
  mergedAt: string | null;
  state: string;
  author: { __typename: string; login: string } | null;
  reviews: Page<Review>;
}
interface Answer {
  data?: {
    repository?: { databaseId: number; nameWithOwner: string; pullRequests: Page<Pull> } | null;
    node?: { reviews: Page<Review> } | null;
    rateLimit?: { cost: number; remaining: number; resetAt: string };
  } | null;
  errors?: { type?: string; message: string; path?: unknown; extensions?: unknown }[];
}

const harbor = { owner: 'aurora-labs', name: 'harbor', first: 100, after: null, field: 'UPDATED_AT' };
let sandbox: StartedSandbox;
let token: string;

beforeAll(async () => {
  sandbox = await startSandbox({ quotaScale: 1 });
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  token = (await authorizeGithub(sandbox)).access_token ?? '';
});
afterEach(() => sandbox.control.reset());

const post = (body: unknown, as = token) =>
  ask(`${sandbox.urls().githubApiUrl}/graphql`, as, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

async function query(text: string, variables: object = harbor, as = token) {
  const response = await post({ query: text, variables }, as);
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer };
}

async function allPulls(variables: object = harbor): Promise<Pull[]> {
  const pulls: Pull[] = [];
  let after: string | null = null;
  do {
    const { body } = await query(REVIEWS, { ...variables, after });
    const page = body.data?.repository?.pullRequests as Page<Pull>;
    expect(body.errors).toBeUndefined();
    pulls.push(...page.nodes);
    expect(page.totalCount).toBe(260);
    after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
  } while (after !== null);
  return pulls;
}

describe('reviews by GraphQL', () => {
  it('pages through pull requests by their last change, as the REST list has them', async () => {
    const pulls = await allPulls();
    const rest = await new Octokit({ auth: token, baseUrl: sandbox.urls().githubApiUrl }).paginate(
      'GET /repos/{owner}/{repo}/pulls',
      {
        owner: 'aurora-labs',
        repo: 'harbor',
        state: 'all',
        sort: 'updated',
        direction: 'desc',
        per_page: 100,
      },
    );
    expect(pulls.map(({ fullDatabaseId }) => Number(fullDatabaseId))).toEqual(rest.map(({ id }) => id));
    for (const [index, pull] of pulls.entries()) {
      const { number, node_id, title, html_url, created_at, updated_at, closed_at, merged_at, draft, user } =
        rest[index] as (typeof rest)[number];
      expect(pull).toMatchObject({
        ...{ number, title, id: node_id, url: html_url, createdAt: created_at, updatedAt: updated_at },
        ...{ closedAt: closed_at, mergedAt: merged_at, isDraft: draft },
        author:
          user === null || user.login === 'ghost'
            ? null
            : { __typename: user.type, login: user.login.replace('[bot]', '') },
      });
    }
    expect(new Set(pulls.map(({ state }) => state))).toEqual(new Set(['OPEN', 'CLOSED', 'MERGED']));
  });

  it('has reviews after the opening of a pull request, by other people, of all states', async () => {
    const pulls = await allPulls();
    const reviews = pulls.flatMap((pull) => pull.reviews.nodes.map((review) => ({ pull, review })));
    expect(reviews.length).toBeGreaterThan(300);
    expect(new Set(reviews.map(({ review }) => review.id)).size).toBe(reviews.length);
    for (const { pull, review } of reviews) {
      expect((review.submittedAt ?? '') >= pull.createdAt).toBe(true);
      expect((review.submittedAt ?? '') <= pull.updatedAt).toBe(true);
      expect(review.commit?.oid).toMatch(/^[0-9a-f]{40}$/);
      if (review.state !== 'COMMENTED') expect(review.author?.login).not.toBe(pull.author?.login ?? '');
    }
    expect(new Set(reviews.map(({ review }) => review.state))).toEqual(
      new Set(['APPROVED', 'CHANGES_REQUESTED', 'COMMENTED', 'DISMISSED']),
    );
    const merged = pulls.filter(({ mergedAt, author }) => mergedAt !== null && author?.__typename === 'User');
    expect(merged.filter(({ reviews }) => !reviews.nodes.some(({ state }) => state === 'APPROVED'))).toEqual(
      [],
    );
  });

  it('names the review of each comment on a line', async () => {
    const ids = new Set(
      (await allPulls()).flatMap(({ reviews }) => reviews.nodes.map(({ fullDatabaseId }) => fullDatabaseId)),
    );
    const octokit = new Octokit({ auth: token, baseUrl: sandbox.urls().githubApiUrl });
    const comments = await octokit.paginate(octokit.rest.pulls.listReviewCommentsForRepo, {
      owner: 'aurora-labs',
      repo: 'harbor',
      per_page: 100,
    });
    expect(comments.filter((comment) => !ids.has(String(comment.pull_request_review_id)))).toEqual([]);
  });

  it('continues after a cursor although records moved in front of it', async () => {
    const first = (await query(REVIEWS, { ...harbor, first: 20 })).body.data?.repository?.pullRequests;
    const moved = first?.nodes[19]?.number ?? 0;
    sandbox.control.github.changePull('aurora-labs/harbor', moved, { title: 'Moved to the front' });
    sandbox.control.github.insertPull('aurora-labs/harbor');
    const next = await query(REVIEWS, { ...harbor, first: 20, after: first?.pageInfo.endCursor });
    const seen = new Set(first?.nodes.map(({ number }) => number));
    const numbers = next.body.data?.repository?.pullRequests.nodes.map(({ number }) => number) ?? [];
    expect(numbers.filter((number) => seen.has(number))).toEqual([]);
    const newest = await query(REVIEWS, { ...harbor, first: 41 });
    expect(newest.body.data?.repository?.pullRequests.nodes.slice(21).map(({ number }) => number)).toEqual(
      numbers,
    );
  });

  it('answers the official client', async () => {
    const octokit = new Octokit({ auth: token, baseUrl: sandbox.urls().githubApiUrl });
    const answer = await octokit.graphql<NonNullable<Answer['data']>>(REVIEWS, { ...harbor, first: 3 });
    expect(answer.repository).toMatchObject({ databaseId: 615_204_871, nameWithOwner: 'aurora-labs/harbor' });
    await expect(octokit.graphql('{ repository(owner: "a", name: "b") { name } }')).rejects.toThrow(
      "Could not resolve to a Repository with the name 'a/b'.",
    );
  });
});

describe('points of GraphQL', () => {
  it.each([
    [{ ...harbor, first: 1 }, REVIEWS, 1],
    [harbor, REVIEWS, 1],
    [{}, '{ viewer { login } }', 1],
    [
      {},
      '{ repository(owner: "aurora-labs", name: "harbor") { pullRequests(first: 100) { nodes { reviews(first: 100) { nodes { id } } again: reviews(first: 1) { nodes { id } } more: reviews(last: 1) { totalCount } } } } rateLimit { cost } }',
      3,
    ],
  ])(
    'charges one for each hundred requests of connections, at least one',
    async (variables, text, points) => {
      const { body, headers } = await query(text, variables);
      expect(body.errors).toBeUndefined();
      if (body.data?.rateLimit) expect(body.data.rateLimit.cost).toBe(points);
      expect(headers.get('x-ratelimit-resource')).toBe('graphql');
      expect([headers.get('x-ratelimit-used'), headers.get('x-ratelimit-remaining')]).toEqual([
        String(points),
        String(5000 - points),
      ]);
      expect(sandbox.control.counters().units['github ada-nowak']).toBe(points);
      const rest = await ask(`${sandbox.urls().githubApiUrl}/user`, token);
      expect([rest.headers.get('x-ratelimit-resource'), rest.headers.get('x-ratelimit-used')]).toEqual([
        'core',
        '1',
      ]);
    },
  );

  it('refuses a query as RATE_LIMITED when too few points are left, and still answers REST', async () => {
    const small = await startSandbox({ quotaScale: 1 / 100 });
    const as = (await authorizeGithub(small)).access_token ?? '';
    const connections = Array.from(
      { length: 60 },
      (_, index) => `r${index}: reviews(first: 1) { totalCount }`,
    );
    const text = `{ repository(owner: "aurora-labs", name: "harbor") { pullRequests(first: 100) { nodes { ${connections.join(' ')} } } } }`;
    const answer = await ask(`${small.urls().githubApiUrl}/graphql`, as, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: text }),
    });
    expect([answer.status, answer.headers.get('x-ratelimit-limit')]).toEqual([200, '50']);
    expect(await answer.json()).toEqual({
      errors: [
        {
          type: 'RATE_LIMITED',
          message: expect.stringMatching(/^API rate limit exceeded for user ID \d+\.$/),
        },
      ],
    });
    expect((await ask(`${small.urls().githubApiUrl}/user`, as)).status).toBe(200);
    await small.close();
  });

  it('shares the limit of points in a minute with REST', async () => {
    const small = await startSandbox({ quotaScale: 1 / 300 });
    const as = (await authorizeGithub(small)).access_token ?? '';
    const send = async () => {
      const answer = await ask(`${small.urls().githubApiUrl}/graphql`, as, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: '{ viewer { login } }' }),
      });
      return answer.status;
    };
    const user = async () => (await ask(`${small.urls().githubApiUrl}/user`, as)).status;
    expect([await send(), await user(), await send(), await send(), await user()]).toEqual([
      200, 200, 200, 403, 403,
    ]);
    await small.close();
  });
});

describe('errors of GraphQL', () => {
  it('answers a missing repository with NOT_FOUND, also a private one without the scope `repo`', async () => {
    const narrow = (await authorizeGithub(sandbox, {}, 'public_repo')).access_token ?? '';
    for (const [name, as] of [
      ['nothing', token],
      ['vault', narrow],
    ] as const) {
      const { status, body } = await query(REVIEWS, { ...harbor, name }, as);
      expect(status).toBe(200);
      expect(body.data).toMatchObject({ repository: null, rateLimit: { cost: 1 } });
      expect(body.errors).toMatchObject([
        { type: 'NOT_FOUND', path: ['repository'], message: expect.stringContaining(`aurora-labs/${name}`) },
      ]);
    }
    expect((await query(MORE, { id: 'PR_nothing' })).body.errors).toMatchObject([{ type: 'NOT_FOUND' }]);
  });

  it('answers a private repository without the permission with FORBIDDEN', async () => {
    const { github } = sandbox.control;
    const vault = { ...harbor, name: 'vault' };
    const without = github.createToken('ada-nowak', { pullRequests: false });
    const { status, body } = await query(REVIEWS, vault, without);
    expect([status, body.data?.repository]).toEqual([200, null]);
    expect(body.errors).toMatchObject([
      {
        type: 'FORBIDDEN',
        path: ['repository', 'pullRequests'],
        extensions: { saml_failure: false },
        message: 'Resource not accessible by personal access token',
      },
    ]);
    const found = await query(REVIEWS, vault, github.createToken('ada-nowak'));
    expect(found.body.data?.repository?.pullRequests.totalCount).toBe(22);
  });

  it('finds a renamed repository by its old name', async () => {
    sandbox.control.github.renameRepository('aurora-labs/harbor', 'port');
    const { body } = await query(REVIEWS, { ...harbor, first: 1 });
    expect(body.errors).toBeUndefined();
    expect(body.data?.repository?.nameWithOwner).toBe('aurora-labs/port');
  });

  it.each([
    ['{ nope }', {}, /Cannot query field "nope"/],
    ['{ repository(', {}, /Syntax Error/],
    [REVIEWS, { owner: 'aurora-labs' }, /Variable "\$name"/],
    [REVIEWS, { ...harbor, field: 'MOOD' }, /"MOOD" does not exist/],
    [REVIEWS, { ...harbor, first: 101 }, /exceeds the `first` limit of 100 records/],
    [REVIEWS, { ...harbor, after: 'x' }, /does not appear to be a valid cursor/],
    [
      '{ repository(owner: "aurora-labs", name: "harbor") { pullRequests { totalCount } } }',
      {},
      /provide a `first` or `last`/,
    ],
    [
      '{ repository(owner: "aurora-labs", name: "harbor") { pullRequests(first: 100) { nodes { reviews(first: 100) { nodes { pullRequest { reviews(first: 100) { totalCount } } } } } } } }',
      {},
      /exceeds the maximum limit of 500,000/,
    ],
  ])('answers an invalid query with 200 and errors: %s', async (text, variables, message) => {
    const { status, body } = await query(text, variables);
    expect(status).toBe(200);
    expect(body.errors?.[0]?.message).toMatch(message);
    expect(body.data?.repository ?? null).toBeNull();
  });

  it('answers wrong tokens and bodies as REST does', async () => {
    expect((await query(REVIEWS, harbor, 'nope')).status).toBe(401);
    const anonymous = await fetch(`${sandbox.urls().githubApiUrl}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: REVIEWS }),
    });
    expect(anonymous.status).toBe(401);
    expect((await post({})).status).toBe(400);
  });
});
