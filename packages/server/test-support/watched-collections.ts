import type { SandboxControl } from '@datadeck/test-sandbox';
import { z } from 'zod';

type Random = () => number;

/** The part of a record that is compared between provider and store. */
export interface Essence {
  id: string;
  state: unknown;
}

/** A changing collection at a provider, read directly and not through the provider's API. */
export interface WatchedCollection {
  provider: 'google' | 'github';
  /** The account at the provider. */
  account: string;
  entity: string;
  settings: Record<string, string>;
  /** Makes one random insert, update or delete. */
  change(random: Random): void;
  /** Returns its current records by id. */
  truth(): Essence[];
  /** Converts a stored document for the comparison. */
  essence(id: string, content: unknown): Essence;
}

function pick<T>(random: Random, items: readonly T[]): T {
  return items[Math.floor(random() * items.length)] as T;
}

const byId = (a: Essence, b: Essence) => (a.id < b.id ? -1 : 1);

const message = z.object({ labelIds: z.array(z.string()) });
const LABEL = 'INBOX';

/** The inbox of a mailbox in the sandbox. */
export function watchedInbox({ gmail }: SandboxControl, account: string): WatchedCollection {
  const ids = () => gmail.messageIds(account, LABEL);
  return {
    provider: 'google',
    account,
    entity: 'gmail-messages',
    settings: { labelIds: LABEL },
    change(random) {
      const kind = random();
      const id = pick(random, ids());
      if (kind < 0.3) gmail.insert(account, { labelIds: [LABEL], text: `${random()}` });
      else if (kind < 0.5) gmail.remove(account, id);
      else if (kind < 0.8) gmail.changeLabels(account, id, { add: ['STARRED'], remove: ['UNREAD'] });
      else gmail.changeLabels(account, id, { remove: [LABEL] });
    },
    truth: () =>
      ids()
        .map((id) => ({ id, state: [...(gmail.message(account, id)?.labelIds ?? [])].sort() }))
        .sort(byId),
    essence: (id, content) => ({ id, state: message.parse(content).labelIds.sort() }),
  };
}

/** Returns the fields of a repository that are stored. */
const repository = z.object({
  ...{
    id: z.number(),
    name: z.string(),
    full_name: z.string(),
    html_url: z.string(),
    default_branch: z.string(),
  },
  ...{ private: z.boolean(), fork: z.boolean(), owner: z.object({ login: z.string(), id: z.number() }) },
});
const side = z.looseObject({ repo: repository.nullable() });
/** Converts GitHub's pull request to the stored document. */
export const keptPull = z.looseObject({ id: z.number(), base: side, head: side });

/** The pull requests of a repository in the sandbox. */
export function watchedPulls(
  { github }: SandboxControl,
  account: string,
  settings: { owner: string; repo: string },
): WatchedCollection {
  const name = `${settings.owner}/${settings.repo}`;
  return {
    provider: 'github',
    account,
    entity: 'gh-pulls',
    settings,
    change(random) {
      const kind = random();
      const number = pick(random, github.pullNumbers(name));
      if (kind < 0.3) github.insertPull(name);
      else if (kind < 0.5) github.removePull(name, number);
      else github.changePull(name, number, { title: `Changed ${random()}` });
    },
    truth: () =>
      github
        .pullNumbers(name)
        .map((number) => keptPull.parse(JSON.parse(JSON.stringify(github.pull(name, number)))))
        .map((state) => ({ id: String(state.id), state }))
        .sort(byId),
    essence: (id, state) => ({ id, state }),
  };
}
