import { type Connector, mayAllowHost, withoutEndSlashes } from '@datadeck/connectors';
import { declarativeConnector, ENTERED_ADDRESS } from '@datadeck/connectors/declarative';
import { shippedDocuments } from '@datadeck/connectors/declarative/shipped';
import { githubConnector } from '@datadeck/connectors/github';
import { googleConnector } from '@datadeck/connectors/google';
import { imapConnector } from '@datadeck/connectors/imap';
import { type OutlookOptions, outlookConnector } from '@datadeck/connectors/outlook';
import type { ConnectorDocument } from '@datadeck/contract/connector-document';
import type { Sandbox } from '@datadeck/sandbox';
import { ConnectorRegistry } from '../features/connections/index.ts';
import { type Config, GOOGLE_ISSUER } from '../platform/config/config.ts';

/** URLs and credentials of the providers: the real ones, an emulator, or the sandbox. */
export interface ProviderEndpoints {
  googleIssuer: string;
  gmailApiUrl: string;
  githubUrl: string;
  githubApiUrl: string;
  google: { id: string; secret: string };
  /** Undefined if no OAuth client is configured: then users connect with a token only. */
  github: { id: string; secret: string } | undefined;
  /** Without an app registration, the identity platform answers that the client is unknown. */
  outlook: OutlookOptions;
  gmailUnitsPerMinute: number;
  githubPointsPerMinute: number;
  /** A server of the operator's own; undefined for gitlab.com. */
  gitlabUrl: string | undefined;
  /** Why providers cannot be connected on this server, as sentences by connector. */
  unavailable: Readonly<Record<string, string | undefined>>;
  /** Servers that users may enter, of mails and feeds: see `resolveHost`. */
  connectHosts: readonly string[];
}

const GMAIL_MISSING =
  'The administrator of this server has not set up Gmail yet (GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET).';
const IMAP_MISSING =
  'The administrator of this server has not allowed any mail server yet (CONNECT_HOSTS, for example imap.gmail.com).';
const FEEDS_MISSING =
  'The administrator of this server has not allowed any host of feeds yet (CONNECT_HOSTS, for example * for all public ones).';

const OUTLOOK_MISSING =
  'The administrator of this server has not set up Outlook yet (MICROSOFT_CLIENT_ID and MICROSOFT_CLIENT_SECRET).';
const OUTLOOK_WITHOUT_MAIL =
  'The sandbox emulates the sign-in of Microsoft, but no mailboxes. Real ones need MICROSOFT_CLIENT_ID and MICROSOFT_CLIENT_SECRET, other ones OUTLOOK_IMAP_HOST.';

/**
 * Returns why providers cannot be connected on a server, as sentences by connector.
 * @param missing whether Gmail is not set up, and why Outlook cannot be connected
 */
function unavailableOn(hosts: readonly string[], missing: { gmail: boolean; outlook: string | undefined }) {
  const byImap = mayAllowHost('imap.gmail.com', hosts)
    ? ' Mailboxes can be connected by IMAP.'
    : ' By IMAP, it can be connected once CONNECT_HOSTS names imap.gmail.com.';
  return {
    ...(missing.gmail && { google: GMAIL_MISSING + byImap }),
    ...(missing.outlook !== undefined && { outlook: missing.outlook }),
    ...(hosts.length === 0 && { imap: IMAP_MISSING, feeds: FEEDS_MISSING }),
  };
}

/** Converts a configured limit, where 0 means unlimited. */
function limit(units: number): number {
  return units === 0 ? Number.POSITIVE_INFINITY : units;
}

/** The mail server of Microsoft 365 and Outlook.com. */
const EXCHANGE = { host: 'outlook.office365.com', port: 993, security: 'tls' } as const;
const NOT_CONFIGURED = { id: 'not-configured', secret: 'not-configured' };

/** Returns the sandbox's endpoints. Quotas are the real ones times `SANDBOX_QUOTA_SCALE`. */
export function sandboxEndpoints(config: Config, sandbox: Sandbox): ProviderEndpoints {
  const scale = config.SANDBOX_QUOTA_SCALE;
  return {
    ...sandbox.urls(),
    ...sandbox.clients,
    outlook: {
      url: sandbox.urls().microsoftUrl,
      tenant: config.MICROSOFT_TENANT,
      client: sandbox.clients.microsoft,
      mailServer: config.OUTLOOK_IMAP_HOST ?? EXCHANGE,
    },
    gmailUnitsPerMinute: limit(config.GMAIL_UNITS_PER_MINUTE * scale),
    githubPointsPerMinute: limit(config.GITHUB_POINTS_PER_MINUTE * scale),
    gitlabUrl: config.GITLAB_URL,
    unavailable: unavailableOn(config.connectHosts, {
      gmail: false,
      outlook: config.OUTLOOK_IMAP_HOST === undefined ? OUTLOOK_WITHOUT_MAIL : undefined,
    }),
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
    google: clientOf(config.GOOGLE_CLIENT_ID, config.GOOGLE_CLIENT_SECRET) ?? NOT_CONFIGURED,
    outlook: {
      url: config.MICROSOFT_URL ?? 'https://login.microsoftonline.com',
      tenant: config.MICROSOFT_TENANT,
      client: clientOf(config.MICROSOFT_CLIENT_ID, config.MICROSOFT_CLIENT_SECRET) ?? NOT_CONFIGURED,
      mailServer: config.OUTLOOK_IMAP_HOST ?? EXCHANGE,
    },
    github: clientOf(config.GITHUB_CLIENT_ID, config.GITHUB_CLIENT_SECRET),
    gmailUnitsPerMinute: limit(config.GMAIL_UNITS_PER_MINUTE),
    unavailable: unavailableOn(config.connectHosts, {
      gmail: config.GOOGLE_CLIENT_ID === undefined,
      outlook: config.MICROSOFT_CLIENT_ID === undefined ? OUTLOOK_MISSING : undefined,
    }),
    githubPointsPerMinute: limit(config.GITHUB_POINTS_PER_MINUTE),
    gitlabUrl: config.GITLAB_URL,
    connectHosts: config.connectHosts,
  };
}

/** Returns a document for another server of its service, to which its links lead. */
function atServer(document: ConnectorDocument, baseUrl: string): ConnectorDocument {
  const url = withoutEndSlashes(baseUrl);
  const links = document.connect.links.map((link) => ({
    ...link,
    url: link.url.replace(document.baseUrl, () => url),
  }));
  return { ...document, connect: { ...document.connect, links } };
}

/** Creates the connectors of the shipped documents. Where users enter the address, CONNECT_HOSTS counts. */
function shippedConnectors({ gitlabUrl, connectHosts }: ProviderEndpoints): Connector[] {
  return shippedDocuments.map((document) => {
    if (document.key === 'gitlab' && gitlabUrl !== undefined)
      return declarativeConnector(atServer(document, gitlabUrl), { baseUrl: gitlabUrl });
    const isEntered = document.baseUrl === ENTERED_ADDRESS;
    return declarativeConnector(document, isEntered ? { hosts: connectHosts } : {});
  });
}

/** Creates the registry of all connectors that come with the product, with the limits that they declare. */
export function createRegistry(endpoints: ProviderEndpoints): ConnectorRegistry {
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
    outlookConnector(endpoints.outlook),
    imapConnector({ hosts: endpoints.connectHosts }),
    ...shippedConnectors(endpoints),
  ];
  return new ConnectorRegistry(connectors, endpoints.unavailable);
}
