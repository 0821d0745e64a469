import { runSync } from './syncing.ts';
import { Client, type TestServer } from './test-server.ts';

/** The account whose mails and pull requests are joined. */
export const ADA = 'ada.nowak@sandbox.example';
/** Settings of its mails. */
export const MAIL_SETTINGS = { labelIds: 'INBOX,SENT' };

/** Bases of views: its pull requests, and its mails. */
export const PULLS = {
  name: 'pulls',
  providerId: 'github',
  entityLabel: 'gh-pulls',
  templateKey: 'pulls-all',
};
export const MAILS = {
  name: 'mails',
  providerId: 'google',
  entityLabel: 'gmail-messages',
  templateKey: 'messages-all',
};

/** Signs the account in, connects both providers, and synchronises labels, mails and pull requests. */
export async function signInWithBases(server: TestServer): Promise<Client> {
  const ada = await new Client(server).signIn(ADA);
  await ada.connect('google', ADA);
  await ada.connect('github', 'ada-nowak');
  await runSync(ada, 'gmail-labels');
  await runSync(ada, 'gmail-messages', MAIL_SETTINGS);
  await runSync(ada, 'gh-pulls', { owner: 'ada-nowak', repo: 'dotfiles' });
  return ada;
}
