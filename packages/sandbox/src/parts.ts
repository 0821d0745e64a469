/** The parts of the sandbox that `@datadeck/test-sandbox` decorates. The published package leaves this module out. */
export { accountsFor, type MailAccount, type SandboxAccounts } from './accounts.ts';
export { runCommand } from './command.ts';
export type { History } from './github/commit-history.ts';
export { commitShape } from './github/commit-shape.ts';
export { accountSubject } from './github/github-account.ts';
export { GithubError } from './github/github-error.ts';
export { badCredentials, primaryLimit, secondaryLimit } from './github/github-guard.ts';
export type { GithubService } from './github/github-service.ts';
export { GraphqlRefusal, pointsUsedUp } from './github/graphql-error.ts';
export type { GithubLinks } from './github/links.ts';
export { expiringTokens } from './github/oauth-tokens.ts';
export type { PersonalTokenGrant } from './github/personal-tokens.ts';
export type { PullFacts } from './github/pull-facts.ts';
export { pullIssueText } from './github/pull-issue-texts.ts';
export {
  PullRepository,
  type PullRow,
  type PullSource,
  type RepositoryPlace,
} from './github/pull-repository.ts';
export { type PullShape, PullShaper } from './github/pull-shape.ts';
export type {
  CommitFacts,
  IssueCommentFacts,
  IssueFacts,
  RecordFacts,
  ReleaseFacts,
  ReviewCommentFacts,
  ReviewFacts,
  RunFacts,
} from './github/record-facts.ts';
export type { RecordTable } from './github/record-table.ts';
export type { ActivitySource } from './github/repository-activity.ts';
export { requestedRepository } from './github/repository-lookup.ts';
export type { RepositoryScene, Shape } from './github/repository-scene.ts';
export { fullRepositoryShape } from './github/repository-shape.ts';
export { collectMails, type MailSource } from './gmail/collect-mails.ts';
export { GmailError, googleErrorBody, invalidArgument, notFound } from './gmail/gmail-error.ts';
export { insufficient, unauthenticated } from './gmail/gmail-guard.ts';
export type { GmailService } from './gmail/gmail-service.ts';
export { userLabel } from './gmail/labels.ts';
export type { Mail, MailboxContents } from './gmail/mail.ts';
export { type ListOptions, listFilter, readListOptions } from './gmail/mail-listing.ts';
export type { LabelChange, Mailbox } from './gmail/mailbox.ts';
export type { MessageResource, PartResource } from './gmail/message-resource.ts';
export type { GoogleAccounts } from './google/google-account.ts';
export { isSignInScope } from './google/google-scopes.ts';
export type { GoogleService } from './google/google-service.ts';
export { accessTokenHash, rotateRefreshToken, type TokenAnswer } from './google/google-tokens.ts';
export type { MicrosoftAccount } from './microsoft/microsoft-account.ts';
export { subjectOf } from './microsoft/microsoft-account.ts';
export { describeRefusal, type MicrosoftRefusal, refusalBody } from './microsoft/microsoft-error.ts';
export type { MicrosoftService } from './microsoft/microsoft-service.ts';
export { type MimePart, readMessage } from './mime/mime-tree.ts';
export type { Api, ApiScope, SandboxHooks } from './requests/api.ts';
export { formOf, queryOf } from './requests/call.ts';
export { composeMail } from './samples/mail/compose-mail.ts';
export { harbor } from './samples/pulls/harbor.ts';
export { person } from './samples/pulls/sample-history.ts';
export { idBase } from './samples/pulls/sample-people.ts';
export { SamplePulls } from './samples/pulls/sample-pulls.ts';
export { workflowOf } from './samples/pulls/sample-runs.ts';
export { SeededRandom } from './samples/seeded-random.ts';
export { createServices, type SandboxServices, serveServices } from './sandbox.ts';
export { atLeastZero, resolveSettings } from './settings/sandbox-options.ts';
export { type ListenOptions, type OwnServer, serveAlone } from './start-sandbox.ts';
