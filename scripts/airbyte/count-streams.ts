/**
 * `npx node scripts/airbyte/count-streams.ts FOLDER [--seed N] [--manifests 60]`: draws manifests of Airbyte from a folder by a seed,
 * imports them, and counts the streams that become entities, and the others by reason. Exits with 1 if less than 60 % of the streams
 * without custom components are imported, with values of the addresses that the specification has none for.
 */
import {
  type ImportedManifest,
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

/** Counts of streams. */
class Count {
  readonly reasons = new Map<string, { count: number; example: string }>();
  streams = 0;
  imported = 0;
  custom = 0;

  add(name: string, { streams }: ImportedManifest): void {
    for (const outcome of streams) {
      this.streams++;
      if (isImported(outcome)) {
        this.imported++;
        continue;
      }
      const reason = outcome.reason ?? 'no reason';
      if (/\bCustom/.test(reason)) this.custom++;
      const known = this.reasons.get(reason) ?? { count: 0, example: `${name}, ${outcome.name}` };
      this.reasons.set(reason, { ...known, count: known.count + 1 });
    }
  }

  /** Share of the streams without custom components. */
  get share(): number {
    return this.imported / Math.max(this.streams - this.custom, 1);
  }
}

const percent = (part: number, whole: number) => `${((100 * part) / Math.max(whole, 1)).toFixed(1)} %`;
const importedOf = ({ streams }: ImportedManifest) => streams.filter(isImported).length;

/** Imports a manifest with a value, as a person enters one, for each of its addresses that has none. */
function withAddresses(text: string, options: { key: string; title: string }): ImportedManifest {
  let best = importManifest(text, options);
  for (let round = 0; round < 3; round++) {
    const open = best.addresses.filter(({ value }) => value === '');
    if (open.length === 0) return best;
    const given = Object.fromEntries(best.addresses.map(({ path, value }) => [path, value]));
    const tried = ['acme.example.com', 'https://acme.example.com', 'com'].map((one) =>
      importManifest(text, {
        ...options,
        values: {
          ...given,
          ...Object.fromEntries(
            open.map(({ path, choices, example }) => [path, choices[0] ?? (example || one)]),
          ),
        },
      }),
    );
    const all = open.map(({ path, choices }) => [path, choices[0] ?? 'https://acme.example.com']);
    tried.push(importManifest(text, { ...options, values: { ...given, ...Object.fromEntries(all) } }));
    best = tried.reduce((one, other) => (importedOf(other) > importedOf(one) ? other : one), best);
  }
  return best;
}

const { manifests, seed } = drawManifests();
const [plain, count] = [new Count(), new Count()];
for (const { name, text } of manifests) {
  const options = { key: 'source', title: name };
  plain.add(name, importManifest(text, options));
  count.add(name, withAddresses(text, options));
}

const { share, streams, imported, custom, reasons } = count;
console.log(`Seed ${seed}: ${manifests.length} manifests with ${streams} streams`);
console.log(`${imported} imported, ${custom} with custom components`);
console.log(
  `${percent(imported, streams - custom)} of those without custom components, ${percent(imported, streams)} of all`,
);
console.log(
  `${percent(plain.imported, plain.streams - plain.custom)} without a value for addresses that have none`,
);
const sorted = [...reasons].sort(([, one], [, other]) => other.count - one.count);
for (const [reason, { count, example }] of sorted.slice(0, MAX_REASONS))
  console.log(`${String(count).padStart(5)} ${reason} (${example})`);
if (sorted.length > MAX_REASONS) console.log(`      … and ${sorted.length - MAX_REASONS} further reasons`);
process.exit(share >= GOAL ? 0 : 1);
