import { mayAllowHost } from '@datadeck/connectors';
import { githubConnector } from '@datadeck/connectors/github';
import { googleConnector } from '@datadeck/connectors/google';
import { imapConnector } from '@datadeck/connectors/imap';
import type { Sandbox } from '@datadeck/sandbox';
import { ConnectorRegistry } from '../features/connections/index.ts';
import { type Config, GOOGLE_ISSUER } from '../platform/config/config.ts';
import { withPlanLimits } from './plan-limits.ts';

/** URLs and credentials of the providers: the real ones, an emulator, or the sandbox. */
export interface ProviderEndpoints {
  googleIssuer: string;
  gmailApiUrl: string;
  githubUrl: string;
  githubApiUrl: string;
  google: { id: string; secret: string };
  /** Undefined if no OAuth client is configured: then users connect with a token only. */
  github: { id: string; secret: string } | undefined;
  gmailUnitsPerMinute: number;
  githubPointsPerMinute: number;
  /** Why providers cannot be connected on this server, as sentences by connector. */
  unavailable: Readonly<Record<string, string | undefined>>;
  /** Mail servers that users may enter: see `resolveHost`. */
  connectHosts: readonly string[];
}

const GMAIL_MISSING =
  'The administrator of this server has not set up Gmail yet (GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET).';
const IMAP_MISSING =
  'The administrator of this server has not allowed any mail server yet (CONNECT_HOSTS, for example imap.gmail.com).';

/** Returns why providers cannot be connected on a server, as sentences by connector. @param hasGmail whether it is set up */
function unavailableOn(hosts: readonly string[], { hasGmail }: { hasGmail: boolean }) {
  const byImap = mayAllowHost('imap.gmail.com', hosts)
    ? ' Mailboxes can be connected by IMAP.'
    : ' By IMAP, it can be connected once CONNECT_HOSTS names imap.gmail.com.';
  return {
    ...(!hasGmail && { google: GMAIL_MISSING + byImap }),
    ...(hosts.length === 0 && { imap: IMAP_MISSING }),
  };
}

/** Converts a configured limit, where 0 means unlimited. */
function limit(units: number): number {
  return units === 0 ? Number.POSITIVE_INFINITY : units;
}

/** Returns the sandbox's endpoints. Quotas are the real ones times `SANDBOX_QUOTA_SCALE`. */
export function sandboxEndpoints(config: Config, sandbox: Sandbox): ProviderEndpoints {
  const scale = config.SANDBOX_QUOTA_SCALE;
  return {
    ...sandbox.urls(),
    ...sandbox.clients,
    gmailUnitsPerMinute: limit(config.GMAIL_UNITS_PER_MINUTE * scale),
    githubPointsPerMinute: limit(config.GITHUB_POINTS_PER_MINUTE * scale),
    unavailable: unavailableOn(config.connectHosts, { hasGmail: true }),
    connectHosts: config.connectHosts,
  };
}

function clientOf(id: string | undefined, secret: string | undefined) {
  return id === undefined || secret === undefined ? undefined : { id, secret };
}

/** Returns the configured endpoints. Without credentials of Google, the provider answers that the client is unknown. */
export function configuredEndpoints(config: Config): ProviderEndpoints {
  return {
    googleIssuer: config.GOOGLE_ISSUER ?? GOOGLE_ISSUER,
    gmailApiUrl: config.GMAIL_API_URL ?? 'https://gmail.googleapis.com',
    githubUrl: config.GITHUB_URL ?? 'https://github.com',
    githubApiUrl: config.GITHUB_API_URL ?? 'https://api.github.com',
    google: {
      id: config.GOOGLE_CLIENT_ID ?? 'not-configured',
      secret: config.GOOGLE_CLIENT_SECRET ?? 'not-configured',
    },
    github: clientOf(config.GITHUB_CLIENT_ID, config.GITHUB_CLIENT_SECRET),
    gmailUnitsPerMinute: limit(config.GMAIL_UNITS_PER_MINUTE),
    unavailable: unavailableOn(config.connectHosts, { hasGmail: config.GOOGLE_CLIENT_ID !== undefined }),
    githubPointsPerMinute: limit(config.GITHUB_POINTS_PER_MINUTE),
    connectHosts: config.connectHosts,
  };
}

/** Creates the registry of all connectors. @param planLimits PLAN_LIMITS @throws StartError if it is wrong */
export function createRegistry(endpoints: ProviderEndpoints, planLimits?: string): ConnectorRegistry {
  const connectors = [
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
  ];
  return new ConnectorRegistry(withPlanLimits(connectors, planLimits), endpoints.unavailable);
}
