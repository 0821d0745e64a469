import type { FastifyPluginAsync } from 'fastify';
import { accountsFor, type SandboxAccounts } from './accounts.ts';
import { registerGithubApi } from './github/github-routes.ts';
import { GithubService } from './github/github-service.ts';
import { registerGithubOAuth } from './github/oauth-routes.ts';
import { registerGmail } from './gmail/gmail-routes.ts';
import { GmailService } from './gmail/gmail-service.ts';
import { GoogleAccounts } from './google/google-account.ts';
import { registerGoogle } from './google/google-routes.ts';
import { GoogleService } from './google/google-service.ts';
import { registerMicrosoft } from './microsoft/microsoft-routes.ts';
import { MicrosoftService } from './microsoft/microsoft-service.ts';
import { registerPageAssets } from './pages/page.ts';
import type { SandboxHooks } from './requests/api.ts';
import { parseBodies } from './requests/body-parsers.ts';
import type { SandboxContext } from './requests/sandbox-context.ts';
import { SAMPLE_MICROSOFT_ACCOUNTS } from './samples/sample-accounts.ts';
import {
  type OAuthClient,
  resolveSettings,
  type SandboxOptions,
  type Settings,
} from './settings/sandbox-options.ts';
import { registerStartPage } from './start-page/start-page-routes.ts';

/** A simulation of Google, GitHub and the identity platform of Microsoft. */
export interface Sandbox {
  /** All routes; the host registers it with the path of `baseUrl` as prefix. */
  plugin: FastifyPluginAsync;
  /** Returns the values for GOOGLE_ISSUER, GMAIL_API_URL, MICROSOFT_URL, GITHUB_URL and GITHUB_API_URL. */
  urls(): ReturnType<typeof urlsUnder>;
  clients: { google: OAuthClient; microsoft: OAuthClient; github: OAuthClient };
}

/** The simulated services of a sandbox. */
export interface SandboxServices {
  google: GoogleService;
  gmail: GmailService;
  microsoft: MicrosoftService;
  github: GithubService;
}

/** Creates a sandbox. It reads and generates data on first use, so that creation is cheap. */
export function createSandbox(options: SandboxOptions): Sandbox {
  const settings = resolveSettings(options);
  return serveServices(settings, createServices(settings, accountsFor(settings)));
}

/** Creates the simulated services with these accounts. @param hooksFor returns what a package for tests adds to requests */
export function createServices(
  settings: Settings,
  accounts: SandboxAccounts,
  hooksFor: (services: SandboxServices) => SandboxHooks = () => ({}),
): SandboxServices {
  const context: SandboxContext = { settings, hooks: {} };
  const google = new GoogleService(context, new GoogleAccounts(accounts.mail.map(({ account }) => account)));
  const identity = {
    claimsOf: (token: string) => google.tokens.read(token, 'access'),
    emailOf: (subject: string) => google.accounts.bySubject(subject)?.email,
  };
  const gmail = new GmailService(context, identity, (subject) => {
    const found = accounts.mail.find(({ account }) => account.subject === subject);
    return found ? found.contents() : { mails: [], labels: [] };
  });
  const microsoft = new MicrosoftService(context, SAMPLE_MICROSOFT_ACCOUNTS);
  const github = new GithubService(context, accounts.githubAccounts, () => accounts.repositories());
  const services = { google, gmail, microsoft, github };
  Object.assign(context.hooks, hooksFor(services));
  return services;
}

/** Returns the sandbox that serves these services. */
export function serveServices(
  settings: Settings,
  { google, gmail, microsoft, github }: SandboxServices,
): Sandbox {
  const urls = () => urlsUnder(settings.base());
  const facts = {
    base: settings.base,
    urls,
    googleAccounts: () => google.accounts.all(),
    microsoftAccounts: () => microsoft.accounts,
    repositories: () => github.repositories.all(),
  };
  return {
    clients: settings.clients,
    urls,
    async plugin(scope) {
      parseBodies(scope);
      registerPageAssets(scope);
      await registerStartPage(scope, facts);
      await scope.register((child) => registerGoogle(child, google), { prefix: '/google' });
      await scope.register((child) => registerGmail(child, gmail), { prefix: '/gmail' });
      await scope.register((child) => registerGmail(child, gmail), { prefix: '/gmail/gmail' });
      await scope.register((child) => registerMicrosoft(child, microsoft), { prefix: '/microsoft' });
      await scope.register((child) => registerGithubOAuth(child, github), { prefix: '/github' });
      await scope.register((child) => registerGithubApi(child, github), { prefix: '/github/api' });
    },
  };
}

function urlsUnder(base: string) {
  return {
    googleIssuer: `${base}/google`,
    gmailApiUrl: `${base}/gmail`,
    microsoftUrl: `${base}/microsoft`,
    githubUrl: `${base}/github`,
    githubApiUrl: `${base}/github/api`,
  };
}
