import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/** Draws the same numbers for the same seed. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Returns a number from 0 to below 1. */
  next(): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return this.#state / 2 ** 32;
  }

  /** Returns a whole number from 0 to below `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }
}

interface DrawnManifest {
  /** `source-gitlab` */
  name: string;
  text: string;
}

/** What a script was called with, and the manifests that its seed draws. */
interface DrawnManifests {
  manifests: DrawnManifest[];
  seed: number;
  /** The generator that drew them, for further values. */
  random: SeededRandom;
  /** The Python that renders templates. */
  python: string;
}

/**
 * Draws manifests from a folder by the arguments of a script: `FOLDER [--seed N] [--manifests 60] [--python python3]`.
 * Without a seed it takes one of its own. Exits with 2 if the folder has no manifests.
 */
export function drawManifests(): DrawnManifests {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      manifests: { type: 'string', default: '60' },
      python: { type: 'string', default: 'python3' },
    },
  });
  const [folder = '.'] = positionals;
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .sort();
  if (files.length === 0) {
    console.error(`${folder} has no manifests (*.yaml).`);
    process.exit(2);
  }
  const seed = Number(values.seed);
  const random = new SeededRandom(seed);
  const chosen = new Set<string>();
  while (chosen.size < Math.min(Number(values.manifests), files.length)) chosen.add(random.pick(files));
  const manifests = [...chosen].map((file) => ({
    name: file.slice(0, -'.yaml'.length),
    text: readFileSync(join(folder, file), 'utf8'),
  }));
  return { manifests, seed, random, python: values.python };
}
