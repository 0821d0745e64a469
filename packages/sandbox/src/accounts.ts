import { readMailFolder } from './folder/read-mail-folder.ts';
import { readPullFiles } from './folder/read-pull-files.ts';
import type { GithubAccount } from './github/github-account.ts';
import type { PullRepository } from './github/pull-repository.ts';
import type { MailboxContents } from './gmail/mail.ts';
import type { GoogleAccount } from './google/google-account.ts';
import { sampleMailbox } from './samples/mail/sample-mailbox.ts';
import { harbor } from './samples/pulls/harbor.ts';
import { lantern } from './samples/pulls/lantern.ts';
import { sampleRepository } from './samples/pulls/sample-pulls.ts';
import { dotfiles, vault } from './samples/pulls/small-projects.ts';
import { SAMPLE_GOOGLE_ACCOUNTS, sampleGithubAccounts } from './samples/sample-accounts.ts';
import type { Settings } from './settings/sandbox-options.ts';
import { syntheticMailbox } from './synthetic/synthetic-mailbox.ts';
import { syntheticRepository } from './synthetic/synthetic-repository.ts';

/** The data of a sandbox. Mailboxes and repositories are created on first use. */
export interface SandboxAccounts {
  googleAccounts: readonly GoogleAccount[];
  githubAccounts: readonly GithubAccount[];
  /** Returns the mailbox of the account with this subject. */
  mailbox(subject: string): MailboxContents;
  repositories(): PullRepository[];
}

/** An account with the function that reads or generates its mailbox. */
interface MailAccount {
  account: GoogleAccount;
  contents(): MailboxContents;
}

/** Returns the bundled sample or the folder's data, together with the synthetic records. */
export function accountsFor(settings: Settings): SandboxAccounts {
  const mailAccounts = [
    ...(settings.folder === undefined ? sampleMail(settings) : folderMail(settings.folder)),
    ...syntheticMail(settings),
  ];
  return {
    googleAccounts: mailAccounts.map(({ account }) => account),
    githubAccounts: sampleGithubAccounts(settings.anchor),
    mailbox(subject) {
      const found = mailAccounts.find(({ account }) => account.subject === subject);
      return found ? found.contents() : { mails: [], labels: [] };
    },
    repositories: () => [...usualRepositories(settings), ...syntheticRepositories(settings)],
  };
}

function sampleMail({ anchor }: Settings): MailAccount[] {
  return SAMPLE_GOOGLE_ACCOUNTS.map((account, index) => ({
    account,
    contents: () => sampleMailbox(index, anchor),
  }));
}

function folderMail(folder: string): MailAccount[] {
  const account = {
    subject: '104200000000000000010',
    email: 'folder@sandbox.example',
    givenName: 'Folder',
    familyName: 'Reader',
  };
  return [{ account, contents: () => readMailFolder(folder) }];
}

function syntheticMail({ synthetic, anchor }: Settings): MailAccount[] {
  const count = synthetic.messages;
  if (count === 0) return [];
  return Array.from({ length: synthetic.mailboxes }, (_, index) => {
    const name = index === 0 ? String(count) : `${count}-${index + 1}`;
    const account = {
      subject: `1042000000000${String(20 + index).padStart(8, '0')}`,
      email: `bench-${name}@sandbox.example`,
      givenName: 'Bench',
      familyName: name,
    };
    return { account, contents: () => syntheticMailbox(count, anchor) };
  });
}

function usualRepositories({ folder, anchor }: Settings): PullRepository[] {
  if (folder !== undefined) return readPullFiles(folder);
  return [harbor, lantern, dotfiles, vault].map((project) => sampleRepository(project, anchor));
}

function syntheticRepositories({ synthetic, anchor }: Settings): PullRepository[] {
  return synthetic.pulls === 0 ? [] : [syntheticRepository(synthetic.pulls, anchor)];
}
