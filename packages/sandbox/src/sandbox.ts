import type { FastifyPluginAsync } from 'fastify';
import { accountsFor } from './accounts.ts';
import { registerControl } from './control/control-routes.ts';
import { createControl, type SandboxControl } from './control/sandbox-control.ts';
import { FaultInjector } from './faults/fault-injector.ts';
import { registerGithubApi } from './github/github-routes.ts';
import { GithubService } from './github/github-service.ts';
import { registerGithubOAuth } from './github/oauth-routes.ts';
import { registerGmail } from './gmail/gmail-routes.ts';
import { GmailService } from './gmail/gmail-service.ts';
import { GoogleAccounts } from './google/google-account.ts';
import { registerGoogle } from './google/google-routes.ts';
import { GoogleService } from './google/google-service.ts';
import { registerPageAssets } from './pages/page.ts';
import { parseBodies } from './requests/body-parsers.ts';
import { CallCounters } from './requests/call-counters.ts';
import type { SandboxContext } from './requests/sandbox-context.ts';
import { type OAuthClient, resolveSettings, type SandboxOptions } from './settings/sandbox-options.ts';
import { registerStartPage } from './start-page/start-page-routes.ts';

/** A simulation of Google and GitHub. */
export interface Sandbox {
  /** All routes; the host registers it with the path of `baseUrl` as prefix. */
  plugin: FastifyPluginAsync;
  /** Returns the values for GOOGLE_ISSUER, GMAIL_API_URL, GITHUB_URL and GITHUB_API_URL. */
  urls(): { googleIssuer: string; gmailApiUrl: string; githubUrl: string; githubApiUrl: string };
  clients: { google: OAuthClient; github: OAuthClient };
  control: SandboxControl;
  /** Generates the synthetic pull requests, so that the first requests are as fast as later ones. */
  prepare(): void;
}

/** Creates a sandbox. It reads and generates data on first use, so that creation is cheap. */
export function createSandbox(options: SandboxOptions): Sandbox {
  const settings = resolveSettings(options);
  const context: SandboxContext = { settings, faults: new FaultInjector(), counters: new CallCounters() };
  const accounts = accountsFor(settings);
  const google = new GoogleService(context, new GoogleAccounts(accounts.googleAccounts));
  const identity = {
    claimsOf: (token: string) => google.tokens.read(token, 'access'),
    emailOf: (subject: string) => google.accounts.bySubject(subject)?.email,
  };
  const gmail = new GmailService(context, identity, (subject) => accounts.mailbox(subject));
  const github = new GithubService(context, accounts.githubAccounts, () => accounts.repositories());
  const control = createControl({
    faults: context.faults,
    counters: context.counters,
    google,
    gmail,
    github,
  });
  const { clients } = settings;
  const urls = () => urlsUnder(settings.base());
  const facts = {
    base: settings.base,
    urls,
    googleAccounts: () => google.accounts.all(),
    repositories: () => github.repositories.all(),
  };
  return {
    clients,
    control,
    urls,
    prepare: () => {
      for (const repository of github.repositories.all()) repository.prepare(github.links);
    },
    async plugin(scope) {
      parseBodies(scope);
      registerPageAssets(scope);
      await registerStartPage(scope, facts);
      await scope.register((child) => registerGoogle(child, google), { prefix: '/google' });
      await scope.register((child) => registerGmail(child, gmail), { prefix: '/gmail' });
      await scope.register((child) => registerGmail(child, gmail), { prefix: '/gmail/gmail' });
      await scope.register((child) => registerGithubOAuth(child, github), { prefix: '/github' });
      await scope.register((child) => registerGithubApi(child, github), { prefix: '/github/api' });
      await scope.register((child) => registerControl(child, control), { prefix: '/control' });
    },
  };
}

function urlsUnder(base: string) {
  return {
    googleIssuer: `${base}/google`,
    gmailApiUrl: `${base}/gmail`,
    githubUrl: `${base}/github`,
    githubApiUrl: `${base}/github/api`,
  };
}
