import type { GithubAccount } from './github/github-account.ts';
import type { PullRepository } from './github/pull-repository.ts';
import type { MailboxFiller } from './gmail/gmail-service.ts';
import type { GoogleAccount } from './google/google-account.ts';
import { sampleMailbox } from './samples/mail/sample-mailbox.ts';
import { harbor } from './samples/pulls/harbor.ts';
import { lantern } from './samples/pulls/lantern.ts';
import { sampleRepository } from './samples/pulls/sample-pulls.ts';
import { dotfiles, vault } from './samples/pulls/small-projects.ts';
import { SAMPLE_GOOGLE_ACCOUNTS, sampleGithubAccounts } from './samples/sample-accounts.ts';
import type { Settings } from './settings/sandbox-options.ts';

/** What a sandbox is filled with. */
export interface Stock {
  googleAccounts: readonly GoogleAccount[];
  githubAccounts: readonly GithubAccount[];
  /** Fills the mailbox of the account with the subject. */
  mailbox: MailboxFiller;
  repositories: () => PullRepository[];
}

/** The bundled sample, or the folder in its place, and the synthetic records beside either. */
export function stockFor(settings: Settings): Stock {
  return sampleStock(settings);
}

function sampleStock({ anchor }: Settings): Stock {
  return {
    googleAccounts: SAMPLE_GOOGLE_ACCOUNTS,
    githubAccounts: sampleGithubAccounts(anchor),
    mailbox: (subject) =>
      sampleMailbox(
        SAMPLE_GOOGLE_ACCOUNTS.findIndex((account) => account.subject === subject),
        anchor,
      ),
    repositories: () =>
      [harbor, lantern, dotfiles, vault].map((project) => sampleRepository(project, anchor)),
  };
}
