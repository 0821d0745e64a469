import { type Connector, defineConnector, type OAuthClient } from '../sdk/index.ts';
import { classifyGithub } from './api/classify.ts';
import { graphqlUrl } from './api/graphql.ts';
import { GithubAuthorization } from './authorization.ts';
import { ghComments } from './comments/entity.ts';
import { ghCommits } from './commits/entity.ts';
import { ghIssues } from './issues/entity.ts';
import { ghPulls } from './pulls/entity.ts';
import { ghReleases } from './releases/entity.ts';
import { ghRepos } from './repositories/entity.ts';
import { ghReviews } from './reviews/entity.ts';
import { ghRuns } from './runs/entity.ts';
import { GithubTokenAuthorization } from './token-authorization.ts';

export { pullRecord } from './records/pull-record.ts';
export { runRecord } from './records/run-record.ts';

/** Options of the GitHub connector. */
export interface GithubOptions {
  /** Web address of GitHub with its consent pages, e.g. https://github.com. */
  githubUrl: string;
  /** REST API, e.g. https://api.github.com. */
  apiUrl: string;
  /** The OAuth client; without one, users connect with a token only. */
  client?: OAuthClient | undefined;
  /** Quota units (requests) per minute and user. */
  unitsPerMinute: number;
}

/** Creates the GitHub connector. */
export function githubConnector(options: GithubOptions): Connector {
  const graphql = graphqlUrl(options.apiUrl);
  return defineConnector({
    key: 'github',
    title: 'GitHub',
    description:
      'Synchronize pull requests, issues, reviews, comments, workflow runs, commits and releases of your repositories.',
    mark: 'M12 .297c-6.63 0-12 5.373-12 12 0 5.303 3.438 9.8 8.205 11.385.6.113.82-.258.82-.577 0-.285-.01-1.04-.015-2.04-3.338.724-4.042-1.61-4.042-1.61C4.422 18.07 3.633 17.7 3.633 17.7c-1.087-.744.084-.729.084-.729 1.205.084 1.838 1.236 1.838 1.236 1.07 1.835 2.809 1.305 3.495.998.108-.776.417-1.305.76-1.605-2.665-.3-5.466-1.332-5.466-5.93 0-1.31.465-2.38 1.235-3.22-.135-.303-.54-1.523.105-3.176 0 0 1.005-.322 3.3 1.23.96-.267 1.98-.399 3-.405 1.02.006 2.04.138 3 .405 2.28-1.552 3.285-1.23 3.285-1.23.645 1.653.24 2.873.12 3.176.765.84 1.23 1.91 1.23 3.22 0 4.61-2.805 5.625-5.475 5.92.42.36.81 1.096.81 2.22 0 1.606-.015 2.896-.015 3.286 0 .315.21.69.825.57C20.565 22.092 24 17.592 24 12.297c0-6.627-5.373-12-12-12',
    apiUrl: options.apiUrl,
    quota: {
      unitsPerMinute: options.unitsPerMinute,
      concurrency: 5,
      // A page has 2 MB. Below 400 ms per response, storing five pages is the bottleneck; more would only fill memory.
      maxConcurrency: 10,
      growFromMs: 400,
    },
    ...(options.client && { authorization: new GithubAuthorization(options, options.client) }),
    formAuthorization: new GithubTokenAuthorization(options),
    entities: [
      ghPulls,
      ghIssues(graphql),
      ghComments,
      ghReviews(graphql),
      ghRuns,
      ghCommits,
      ghReleases,
      ghRepos,
    ],
    classify: classifyGithub,
  });
}
