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

/** The data of a sandbox. Mailboxes and repositories are created on first use. */
export interface SandboxAccounts {
  mail: readonly MailAccount[];
  githubAccounts: readonly GithubAccount[];
  repositories(): PullRepository[];
}

/** An account with the function that reads or generates its mailbox. */
export interface MailAccount {
  account: GoogleAccount;
  contents(): MailboxContents;
}

/** Returns the bundled sample, or the folder's data. */
export function accountsFor(settings: Settings): SandboxAccounts {
  return {
    mail: settings.folder === undefined ? sampleMail(settings) : folderMail(settings.folder),
    githubAccounts: sampleGithubAccounts(settings.anchor),
    repositories: () => repositoriesFor(settings),
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

function repositoriesFor({ folder, anchor }: Settings): PullRepository[] {
  if (folder !== undefined) return readPullFiles(folder);
  return [harbor, lantern, dotfiles, vault].map((project) => sampleRepository(project, anchor));
}
