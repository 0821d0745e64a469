import { atLeastZero, type MailAccount, type SandboxAccounts } from '@datadeck/sandbox/parts';
import { syntheticMailbox } from './synthetic-mailbox.ts';
import { syntheticRepository } from './synthetic-repository.ts';

/** Numbers of synthetic records for benchmarks (Gmail `bench-N@sandbox.example`, GitHub `bench/pulls-N`). */
export interface SyntheticSizes {
  messages?: number;
  /** Number of accounts with that many messages each: `bench-N`, `bench-N-2`, `bench-N-3` … Default 1. */
  mailboxes?: number;
  pulls?: number;
}

/** Adds accounts and a repository with synthetic records. @throws RangeError that names the invalid size */
export function withSyntheticAccounts(
  accounts: SandboxAccounts,
  sizes: SyntheticSizes,
  anchor: number,
): SandboxAccounts {
  const messages = atLeastZero('synthetic.messages', sizes.messages ?? 0);
  const mailboxes = atLeastZero('synthetic.mailboxes', sizes.mailboxes ?? 1);
  const pulls = atLeastZero('synthetic.pulls', sizes.pulls ?? 0);
  const added = Array.from({ length: messages === 0 ? 0 : mailboxes }, (_, index) =>
    mailAccount(index, messages, anchor),
  );
  return {
    ...accounts,
    mail: [...accounts.mail, ...added],
    repositories: () => [
      ...accounts.repositories(),
      ...(pulls === 0 ? [] : [syntheticRepository(benchPlace(pulls), pulls, anchor)]),
    ],
  };
}

const benchPlace = (pulls: number) => ({ id: 880_000_001, owner: 'bench', name: `pulls-${pulls}` });

function mailAccount(index: number, messages: number, anchor: number): MailAccount {
  const name = index === 0 ? String(messages) : `${messages}-${index + 1}`;
  const account = {
    subject: `1042000000000${String(20 + index).padStart(8, '0')}`,
    email: `bench-${name}@sandbox.example`,
    givenName: 'Bench',
    familyName: name,
  };
  return { account, contents: () => syntheticMailbox(messages, anchor) };
}
