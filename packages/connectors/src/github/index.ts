import { type Connector, defineConnector, type OAuthClient } from '../sdk/index.ts';
import { GithubAuthorization } from './authorization.ts';
import { classifyGithub } from './classify.ts';
import { ghPulls } from './pulls.ts';

export { pullRecord } from './pull-record.ts';

export interface GithubOptions {
  /** Consent pages, for example https://github.com. */
  githubUrl: string;
  /** REST API, for example https://api.github.com. */
  apiUrl: string;
  client: OAuthClient;
  /** Units of the quota a minute and user. */
  unitsPerMinute: number;
}

/** The GitHub connector. */
export function githubConnector(options: GithubOptions): Connector {
  return defineConnector({
    key: 'github',
    title: 'GitHub',
    description: 'Synchronize the pull requests of your repositories.',
    apiUrl: options.apiUrl,
    quota: {
      unitsPerMinute: options.unitsPerMinute,
      concurrency: 5,
      // A page is 2 MB. Where it comes sooner, taking five in is what a sync waits for, and more would wait in memory.
      mostConcurrency: 10,
      widenFromMs: 400,
    },
    authorization: new GithubAuthorization(options, options.client),
    entities: [ghPulls],
    classify: classifyGithub,
  });
}
