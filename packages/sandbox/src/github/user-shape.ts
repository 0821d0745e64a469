import { createHash } from 'node:crypto';
import { type GithubLinks, nodeId } from './links.ts';

/** The short form of a person, bot or organisation inside other records. */
export type UserShape = Record<string, string | number | boolean>;

export type UserType = 'User' | 'Organization' | 'Bot';

/** Returns the permanent id of a login, the same in every run. */
export function userId(login: string): number {
  return 1_000_000 + (createHash('sha1').update(login).digest().readUInt32BE(0) % 90_000_000);
}

/** Returns a user in short form (schema simple-user). */
export function userShape(links: GithubLinks, login: string, type: UserType = typeOf(login)): UserShape {
  const url = `${links.api}/users/${encodeURIComponent(login)}`;
  const id = userId(login);
  return {
    login,
    id,
    node_id: nodeId(type === 'User' ? 'U' : 'O', id),
    avatar_url: `${links.web}/avatars/${encodeURIComponent(login)}.svg`,
    gravatar_id: '',
    url,
    html_url: `${links.web}/${type === 'Bot' ? 'apps/' : ''}${login.replace('[bot]', '')}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type,
    user_view_type: 'public',
    site_admin: false,
  };
}

function typeOf(login: string): UserType {
  return login.endsWith('[bot]') ? 'Bot' : 'User';
}
