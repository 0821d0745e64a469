import type { GithubAccount } from '../github/github-account.ts';
import type { GoogleAccount } from '../google/google-account.ts';

/** The Google accounts of the bundled sample: a full mailbox, a smaller one, a nearly empty one. */
export const SAMPLE_GOOGLE_ACCOUNTS: readonly GoogleAccount[] = [
  {
    subject: '104200000000000000001',
    email: 'ada.nowak@sandbox.example',
    givenName: 'Ada',
    familyName: 'Nowak',
  },
  {
    subject: '104200000000000000002',
    email: 'jonas.weber@sandbox.example',
    givenName: 'Jonas',
    familyName: 'Weber',
  },
  {
    subject: '104200000000000000003',
    email: 'mei.tanaka@sandbox.example',
    givenName: 'Mei',
    familyName: 'Tanaka',
  },
];

const DAY = 86_400_000;

/** Returns the GitHub accounts; the first sees a private repository that the others do not see. */
export function sampleGithubAccounts(anchor: number): GithubAccount[] {
  return [
    {
      login: 'ada-nowak',
      name: 'Ada Nowak',
      email: 'ada.nowak@sandbox.example',
      company: '@aurora-labs',
      location: 'Kraków',
      bio: 'Storage, mostly.',
      createdAt: anchor - 2900 * DAY,
    },
    {
      login: 'jonas-weber',
      name: 'Jonas Weber',
      email: 'jonas.weber@sandbox.example',
      company: null,
      location: 'Leipzig',
      bio: null,
      createdAt: anchor - 1500 * DAY,
    },
    {
      login: 'mei-tanaka',
      name: 'Mei Tanaka',
      email: 'mei.tanaka@sandbox.example',
      company: null,
      location: 'Osaka',
      bio: null,
      createdAt: anchor - 700 * DAY,
    },
  ];
}
