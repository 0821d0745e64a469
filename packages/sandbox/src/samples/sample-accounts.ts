import type { GithubAccount } from '../github/github-account.ts';
import type { GoogleAccount } from '../google/google-account.ts';
import { CONSUMERS, type MicrosoftAccount } from '../microsoft/microsoft-account.ts';

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

/** The Microsoft accounts: two of organizations, one of Outlook.com. */
export const SAMPLE_MICROSOFT_ACCOUNTS: readonly MicrosoftAccount[] = [
  {
    tenant: '5d2b1c1e-7f0a-4a55-9a57-1f6f0c0a7d11',
    object: 'a0a7e2f4-30c5-4d5b-8a3e-6d2c9f1b0001',
    address: 'ada@aurora.example',
    name: 'Ada Nowak',
  },
  {
    tenant: '8e9f4b72-2c3d-4e61-b8aa-93d1f5c4e222',
    object: 'b1b8f3a5-41d6-4e6c-9b4f-7e3d0a2c0002',
    address: 'jonas@harbor.example',
    name: 'Jonas Weber',
  },
  {
    tenant: CONSUMERS,
    object: '00000000-0000-0000-c2c9-a4b6530d0003',
    address: 'mei@outlook.example',
    name: 'Mei Tanaka',
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
