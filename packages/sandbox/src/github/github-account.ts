import { type GithubLinks, isoSeconds } from './links.ts';
import { userId, userShape } from './user-shape.ts';

/** A GitHub account of the sandbox. */
export interface GithubAccount {
  login: string;
  name: string;
  email: string;
  company: string | null;
  location: string | null;
  bio: string | null;
  createdAt: number;
}

/** Returns the response to GET /user (schema private-user). */
export function privateUserShape(links: GithubLinks, account: GithubAccount): Record<string, unknown> {
  return {
    ...userShape(links, account.login),
    user_view_type: 'private',
    name: account.name,
    company: account.company,
    blog: '',
    location: account.location,
    email: null,
    hireable: null,
    bio: account.bio,
    twitter_username: null,
    notification_email: account.email,
    public_repos: 3,
    public_gists: 2,
    followers: 41,
    following: 17,
    created_at: isoSeconds(account.createdAt),
    updated_at: isoSeconds(account.createdAt + 40_000_000_000),
    private_gists: 0,
    total_private_repos: 1,
    owned_private_repos: 1,
    disk_usage: 48_213,
    collaborators: 2,
    two_factor_authentication: true,
    plan: { name: 'free', space: 976_562_499, collaborators: 0, private_repos: 10_000 },
  };
}

/** Returns the permanent id of an account, the subject of its tokens. */
export function accountSubject(account: GithubAccount): string {
  return String(userId(account.login));
}
