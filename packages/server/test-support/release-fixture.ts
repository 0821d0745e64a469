import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { zstdDecompressSync } from 'node:zlib';
import { type SandboxControl, type StartedSandbox, startSandbox } from '@datadeck/test-sandbox';
import { z } from 'zod';
import { makeTemporaryFolder } from './temporary-folder.ts';

/** A data folder that an earlier version wrote: `{ archive: '…/release/data.tar.zst', port: 24817, … }`. */
export interface Fixture {
  archive: string;
  /** The file of its facts. */
  facts: string;
  /**
   * Port of the sandbox, whose address is part of the stored identities and records. Below the ports that systems assign,
   * so only another run of these tests has it.
   */
  port: number;
}

function fixtureIn(folder: string, port: number): Fixture {
  const fileIn = (name: string) => fileURLToPath(new URL(`${folder}/${name}`, import.meta.url));
  return { archive: fileIn('data.tar.zst'), facts: fileIn('facts.json'), port };
}

/** The previous release. */
export const RELEASE = fixtureIn('release', 24_817);
/** The last version with one account for each provider: it hid the data of an account when another was connected. */
export const ONE_ACCOUNT = fixtureIn('one-account', 24_818);

/** Accounts of the fixture. Jonas's sync of pull requests was killed in its middle. */
export const [ADA, JONAS] = ['ada.nowak@sandbox.example', 'jonas.weber@sandbox.example'] as const;
export const DOTFILES = { owner: 'ada-nowak', repo: 'dotfiles' };
export const STARRED = { labelIds: 'STARRED' };
const PULLS = 250;
export const INTERRUPTED = { owner: 'bench', repo: `pulls-${PULLS}` };

const PORT_TIMEOUT_MS = 120_000;

const factsSchema = z.object({
  version: z.string(),
  /** Time of its newest migration, ms since 1970. */
  migrated: z.number(),
  /** Day of the sandbox's dates, ms since 1970. */
  anchor: z.number(),
  /** MD5 of Ada's messages before her last sync, by id. */
  messagesBefore: z.record(z.string(), z.string()),
});
/** What the tests must know about the fixture. */
export type ReleaseFacts = z.infer<typeof factsSchema>;

/** Reads the facts of the fixture. */
export function readFacts(): ReleaseFacts {
  return factsSchema.parse(JSON.parse(readFileSync(RELEASE.facts, 'utf8')));
}

/** Unpacks the data folder of a fixture. @returns the folder */
export function unpackFixture({ archive }: Fixture): string {
  const folder = makeTemporaryFolder('datadeck-release-');
  const input = zstdDecompressSync(readFileSync(archive));
  // The owner is the current user; a start as root changes it to the database's user.
  execFileSync('tar', ['-x', '--no-same-owner', '-p', '-f', '-', '-C', folder], { input });
  return folder;
}

/**
 * Starts the sandbox of a fixture; waits while another run uses its port. @param anchor day of its dates, ms since 1970
 * @throws Error after two minutes
 */
export async function startFixtureSandbox({ port }: Fixture, anchor: number): Promise<StartedSandbox> {
  const options = { port, quotaScale: 0, anchor, synthetic: { pulls: PULLS } };
  for (const begun = Date.now(); ; await sleep(500)) {
    try {
      return await startSandbox(options);
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
      if (!isTaken || Date.now() - begun > PORT_TIMEOUT_MS) throw error;
    }
  }
}

/** Repeats the changes between Ada's first syncs and her last ones, as far as a restarted sandbox forgets them. */
export function changeBeforeLastSyncs({ gmail, github }: Pick<SandboxControl, 'gmail' | 'github'>): void {
  const starred = gmail.messageIds(ADA, 'STARRED');
  const [gone = '', changed = ''] = starred;
  const added = gmail.messageIds(ADA, 'INBOX').find((id) => !starred.includes(id)) ?? '';
  gmail.changeLabels(ADA, gone, { remove: ['STARRED'] });
  gmail.changeLabels(ADA, changed, { add: ['IMPORTANT', 'Label_1'] });
  gmail.changeLabels(ADA, added, { add: ['STARRED'] });
  const dotfiles = `${DOTFILES.owner}/${DOTFILES.repo}`;
  github.insertPull(dotfiles, { title: 'Opened before the upgrade' });
  github.changePull(dotfiles, 1, { title: 'Changed before the upgrade' });
}
