import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { zstdDecompressSync } from 'node:zlib';
import { type SandboxControl, type StartedSandbox, startSandbox } from '@datadeck/test-sandbox';
import { z } from 'zod';
import { makeTemporaryFolder } from './temporary-folder.ts';

/** The folder of the fixture: the data folder of the previous release as an archive, and its facts. */
const FOLDER = new URL('release/', import.meta.url);
export const ARCHIVE = fileURLToPath(new URL('data.tar.zst', FOLDER));
export const FACTS = fileURLToPath(new URL('facts.json', FOLDER));

/** Accounts of the fixture. Jonas's sync of pull requests was killed in its middle. */
export const [ADA, JONAS] = ['ada.nowak@sandbox.example', 'jonas.weber@sandbox.example'] as const;
export const DOTFILES = { owner: 'ada-nowak', repo: 'dotfiles' };
export const STARRED = { labelIds: 'STARRED' };
const PULLS = 250;
export const INTERRUPTED = { owner: 'bench', repo: `pulls-${PULLS}` };

/**
 * Port of the sandbox, whose address is part of the stored identities and records. Below the ports that systems assign, so
 * only another run of these tests has it.
 */
const SANDBOX_PORT = 24_817;
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
  return factsSchema.parse(JSON.parse(readFileSync(FACTS, 'utf8')));
}

/** Unpacks the data folder of the previous release. @returns the folder */
export function unpackRelease(): string {
  const folder = makeTemporaryFolder('datadeck-release-');
  const input = zstdDecompressSync(readFileSync(ARCHIVE));
  // The owner is the current user; a start as root changes it to the database's user.
  execFileSync('tar', ['-x', '--no-same-owner', '-p', '-f', '-', '-C', folder], { input });
  return folder;
}

/** Starts the sandbox of the fixture; waits while another run uses its port. @throws Error after two minutes */
export async function startReleaseSandbox(anchor: number): Promise<StartedSandbox> {
  const options = { port: SANDBOX_PORT, quotaScale: 0, anchor, synthetic: { pulls: PULLS } };
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
