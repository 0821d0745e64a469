export { type GithubOptions, githubConnector } from './github/index.ts';
export { type GoogleOptions, googleConnector } from './google/index.ts';
export * from './sdk/index.ts';
