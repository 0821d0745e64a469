import { notFound } from '../../platform/app-error.ts';

const DAY_MS = 86_400_000;

/**
 * Returns a file of a mail of a demo workspace.
 * @param createdAt when the workspace was filled; its sample depends on the day
 */
export async function sampleFile(
  createdAt: Date,
  { recordId, partId = '' }: { recordId: string; partId?: string | undefined },
): Promise<Uint8Array> {
  // Loaded on demand: installations without demo users and sandbox never need it.
  const { demoFile } = await import('@datadeck/sandbox');
  const day = Math.floor(createdAt.getTime() / DAY_MS) * DAY_MS;
  const file = demoFile(day, recordId, partId);
  if (!file) throw notFound('This attachment');
  return file;
}
