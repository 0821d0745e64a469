/**
 * `npx node scripts/airbyte/count-streams.ts FOLDER [--seed N] [--manifests 60]`: draws manifests of Airbyte from a folder by a seed,
 * imports them, and counts the streams that become entities, and the others by reason. Exits with 1 if less than 60 % of the streams
 * without custom components are imported.
 */
import {
  importManifest,
  LEFT_OUT,
  type StreamOutcome,
} from '../../packages/connectors/src/declarative/airbyte/import-manifest.ts';
import { drawManifests } from './drawn-manifests.ts';

/** Least share of the streams without custom components. */
const GOAL = 0.6;
const MAX_REASONS = 40;

/** Whether a stream is imported, or could be if the document had room for it. */
function isImported({ entity, reason }: StreamOutcome): boolean {
  return entity !== undefined || Object.values<string | undefined>(LEFT_OUT).includes(reason);
}

const percent = (part: number, whole: number) => `${((100 * part) / Math.max(whole, 1)).toFixed(1)} %`;

const { manifests, seed } = drawManifests();
const reasons = new Map<string, { count: number; example: string }>();
let streams = 0;
let imported = 0;
let custom = 0;
for (const { name, text } of manifests)
  for (const outcome of importManifest(text, { key: 'source', title: name }).streams) {
    streams++;
    if (isImported(outcome)) {
      imported++;
      continue;
    }
    const reason = outcome.reason ?? 'no reason';
    if (/\bCustom/.test(reason)) custom++;
    const known = reasons.get(reason) ?? { count: 0, example: `${name}, ${outcome.name}` };
    reasons.set(reason, { ...known, count: known.count + 1 });
  }

const share = imported / Math.max(streams - custom, 1);
console.log(`Seed ${seed}: ${manifests.length} manifests with ${streams} streams`);
console.log(`${imported} imported, ${custom} with custom components`);
console.log(
  `${percent(imported, streams - custom)} of those without custom components, ${percent(imported, streams)} of all`,
);
const sorted = [...reasons].sort(([, one], [, other]) => other.count - one.count);
for (const [reason, { count, example }] of sorted.slice(0, MAX_REASONS))
  console.log(`${String(count).padStart(5)} ${reason} (${example})`);
if (sorted.length > MAX_REASONS) console.log(`      … and ${sorted.length - MAX_REASONS} further reasons`);
process.exit(share >= GOAL ? 0 : 1);
