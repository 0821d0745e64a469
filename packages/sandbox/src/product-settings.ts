import type { Sandbox } from './sandbox.ts';

/** Returns the settings that point a product to this sandbox. */
export function productSettings({
  urls,
  clients,
}: Pick<Sandbox, 'urls' | 'clients'>): Record<string, string> {
  const { googleIssuer, gmailApiUrl, microsoftUrl, githubUrl, githubApiUrl } = urls();
  const { google, microsoft, github } = clients;
  return {
    GOOGLE_ISSUER: googleIssuer,
    GMAIL_API_URL: gmailApiUrl,
    MICROSOFT_URL: microsoftUrl,
    GITHUB_URL: githubUrl,
    GITHUB_API_URL: githubApiUrl,
    GOOGLE_CLIENT_ID: google.id,
    GOOGLE_CLIENT_SECRET: google.secret,
    MICROSOFT_CLIENT_ID: microsoft.id,
    MICROSOFT_CLIENT_SECRET: microsoft.secret,
    GITHUB_CLIENT_ID: github.id,
    GITHUB_CLIENT_SECRET: github.secret,
  };
}
