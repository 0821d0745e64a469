import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isSecretParameter } from '../secret-parameter.ts';
import { startExample } from './start-example.ts';

/** Names by which services take secrets in addresses. */
const SECRET_NAMES =
  'api_key apikey api-key apiKey APIKEY key token access_token accessToken auth auth_token authtoken secret password passwd ' +
  'pwd pass private_token job_token client_secret app_secret appSecret sig signature X-Amz-Signature X-Amz-Credential ' +
  'X-Amz-Security-Token X-Goog-Signature X-Goog-Credential code session session_id sessionid PHPSESSID JSESSIONID sid jwt ' +
  'id_token refresh_token subscription-key Ocp-Apim-Subscription-Key oauth_token oauth_signature hapikey hmac access_key ' +
  'accesskey secretKey app_key applicationKey license_key authorization bearer passphrase otp pin user_key userkey_token ' +
  'api_token apitoken x-api-key personal_access_token developer_token webhook_secret shared_secret credentials ticket ' +
  'auth_key authkey rss_token feed_token csrf_token bot_token consumer_secret sas st_token access_code auth_code';
/** Names of parameters that a document needs. */
const OTHER_NAMES =
  'page per_page limit offset sort order sort_key order_by state status q query filter fields expand since updated_after ' +
  'created_at cursor page_token pageToken next_token nextPageToken continuation_token sync_token starting_after project_key ' +
  'issue_key country_code currency_code language lang postal_code status_code id user user_id account workspace project ' +
  'keyword keywords author assignee monkey keyboard design passenger tokenize category tags include locale timezone format ' +
  'version site zip_code product_code group_key';

describe('parameters of a pasted address', () => {
  it.each(SECRET_NAMES.split(' '))('leaves out %s', (name) => {
    expect(isSecretParameter(name, 'abc')).toBe(true);
    const { document } = startExample({
      from: 'example',
      key: 'desk',
      title: 'Desk',
      address: `https://api.example.com/v1/items?state=open&${name}=abc-5417-def`,
      answer: '{"items":[{"id":1}]}',
    });
    expect(document).not.toContain('abc-5417-def');
    expect(document).toContain('state');
  });

  it.each(OTHER_NAMES.split(' '))('keeps %s', (name) => expect(isSecretParameter(name, '20')).toBe(false));

  it('leaves out values that are made by chance, under any name', () => {
    for (let round = 0; round < 300; round++)
      for (const encoding of ['base64', 'base64url', 'hex'] as const)
        expect(isSecretParameter('k', createHash('sha1').update(String(round)).digest(encoding))).toBe(true);
  });

  it.each([
    'open,closed,merged',
    '2026-01-01T00:00:00Z',
    'https://example.com/path/to/page',
    'created_at desc, updated_at asc',
    'id,title,created_at,updated_at,author.name',
    'a1b2c3d4-0000-4000-8000-123456789abc',
    'organization-development-team',
    '1234567890123456789012',
    'Europe/Berlin',
    'project = ABC AND status = Open',
  ])('keeps the value %s', (value) => expect(isSecretParameter('filter', value)).toBe(false));
});
