import * as oauth from 'openid-client';
import type { OAuthClient } from './oauth.ts';

/** What a discovery document for many tenants writes in place of a tenant's id. */
const TENANT = '{tenantid}';
/** The only origin whose issuer templates the library reads. */
const TEMPLATE_READER = new URL('https://login.microsoftonline.com/common/v2.0');

/** The issuers of an identity platform with many tenants, each of which is an issuer of its own. */
export interface TenantIssuers {
  /** Returns whether the discovery document may name this issuer, a template with `{tenantid}` or the issuer of a tenant. */
  accepts(issuer: string): boolean;
}

/** Returns whether an issuer is the template for those of all tenants. */
export function isIssuerTemplate(issuer: string): boolean {
  return issuer.includes(TENANT);
}

/** Returns the issuer of a tenant: `https://login.example/{tenantid}/v2.0` -> `https://login.example/7f…/v2.0`. */
export function issuerOfTenant(template: string, tenant: string): string {
  return template.replaceAll(TENANT, () => tenant);
}

/**
 * Creates a configuration that accepts an ID token only from the issuer that the template names for the tenant (`tid`) of
 * that token. The library does so for one origin, so it gets the document as from there; nothing is fetched.
 */
export async function configurationOfTemplate(
  metadata: oauth.ServerMetadata,
  { id, secret }: OAuthClient,
  authentication: oauth.ClientAuth,
): Promise<oauth.Configuration> {
  return oauth.discovery(TEMPLATE_READER, id, secret, authentication, {
    [oauth.customFetch]: async () => Response.json(metadata),
  });
}
