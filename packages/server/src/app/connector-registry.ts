import { githubConnector } from '@datadeck/connectors/github';
import { googleConnector } from '@datadeck/connectors/google';
import { imapConnector } from '@datadeck/connectors/imap';
import type { Sandbox } from '@datadeck/sandbox';
import { ConnectorRegistry } from '../features/connections/index.ts';
import type { Config } from '../platform/config/config.ts';

/** Addresses and credentials of the providers: real ones, an emulator's, or the sandbox's. */
export interface ProviderEndpoints {
  googleIssuer: string;
  gmailApiUrl: string;
  githubUrl: string;
  githubApiUrl: string;
  google: { id: string; secret: string };
  github: { id: string; secret: string };
  gmailUnitsPerMinute: number;
  githubPointsPerMinute: number;
  /** Servers that users may name: see `resolveHost`. */
  connectHosts: readonly string[];
}

/** 0 stands for no limit. */
function limit(units: number): number {
  return units === 0 ? Number.POSITIVE_INFINITY : units;
}

/** The sandbox's endpoints; its quotas are the real ones times a factor. */
export function sandboxEndpoints(config: Config, sandbox: Sandbox): ProviderEndpoints {
  const scale = config.SANDBOX_QUOTA_SCALE;
  return {
    ...sandbox.urls(),
    ...sandbox.clients,
    gmailUnitsPerMinute: limit(config.GMAIL_UNITS_PER_MINUTE * scale),
    githubPointsPerMinute: limit(config.GITHUB_POINTS_PER_MINUTE * scale),
    connectHosts: config.connectHosts,
  };
}

/** The endpoints that the settings name; without credentials the provider answers that it does not know us. */
export function configuredEndpoints(config: Config): ProviderEndpoints {
  return {
    googleIssuer: config.GOOGLE_ISSUER ?? 'https://accounts.google.com',
    gmailApiUrl: config.GMAIL_API_URL ?? 'https://gmail.googleapis.com',
    githubUrl: config.GITHUB_URL ?? 'https://github.com',
    githubApiUrl: config.GITHUB_API_URL ?? 'https://api.github.com',
    google: {
      id: config.GOOGLE_CLIENT_ID ?? 'not-configured',
      secret: config.GOOGLE_CLIENT_SECRET ?? 'not-configured',
    },
    github: {
      id: config.GITHUB_CLIENT_ID ?? 'not-configured',
      secret: config.GITHUB_CLIENT_SECRET ?? 'not-configured',
    },
    gmailUnitsPerMinute: limit(config.GMAIL_UNITS_PER_MINUTE),
    githubPointsPerMinute: limit(config.GITHUB_POINTS_PER_MINUTE),
    connectHosts: config.connectHosts,
  };
}

export function createRegistry(endpoints: ProviderEndpoints): ConnectorRegistry {
  return new ConnectorRegistry([
    googleConnector({
      issuer: endpoints.googleIssuer,
      apiUrl: endpoints.gmailApiUrl,
      client: endpoints.google,
      unitsPerMinute: endpoints.gmailUnitsPerMinute,
    }),
    githubConnector({
      githubUrl: endpoints.githubUrl,
      apiUrl: endpoints.githubApiUrl,
      client: endpoints.github,
      unitsPerMinute: endpoints.githubPointsPerMinute,
    }),
    imapConnector({ hosts: endpoints.connectHosts }),
  ]);
}
