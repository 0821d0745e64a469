/** What the mutants of a module showed. */
export interface Outcome {
  /** Number of tested mutants. */
  mutants: number;
  /** Number of mutants that the time limit left untested. */
  untested: number;
  /** Mutants with which a test fails, or a whole test file, such as in its set-up. */
  killed: number;
  /** Mutants with which the tests do not end. */
  timedOut: number;
  survived: number;
  /** Mutants that no test reaches. */
  uncovered: number;
  /** Killed and timed-out mutants in percent of the tested ones, with one decimal. */
  score: number;
  /** The survivors, each with its place and its replacement. */
  survivors: string[];
  seconds: number;
  /** Seconds of one run of the tests without a mutant. */
  testSeconds: number;
}

interface Line {
  testMs?: number;
  planned?: number;
  status?: string;
  at?: string;
  mutatorName?: string;
  replacement?: string;
}

/** Sums up the lines of `reporter.ts`. @param seconds that the module took */
export function outcomeOf(lines: string, seconds: number): Outcome {
  const parsed = lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
  const tested = parsed.filter(({ status }) => status !== undefined);
  const count = (...statuses: string[]) =>
    tested.filter(({ status = '' }) => statuses.includes(status)).length;
  const [killed, timedOut] = [count('Killed', 'RuntimeError'), count('Timeout')];
  const planned = parsed.find((line) => line.planned !== undefined)?.planned ?? 0;
  return {
    mutants: tested.length,
    untested: planned - tested.length,
    killed,
    timedOut,
    survived: count('Survived'),
    uncovered: count('NoCoverage'),
    score: Math.floor((1000 * (killed + timedOut)) / Math.max(1, tested.length)) / 10,
    survivors: tested
      .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
      .map(({ status, at, mutatorName, replacement = '' }) =>
        [at, status, mutatorName, replacement.replace(/\s+/g, ' ').slice(0, 100)].join('  '),
      ),
    seconds: Math.round(seconds),
    testSeconds: Math.round((parsed.find(({ testMs }) => testMs !== undefined)?.testMs ?? 0) / 100) / 10,
  };
}

/** Prints the survivors of a module, and whether the time limit stopped it. */
export function printOutcome(name: string, { survivors, untested, seconds, testSeconds }: Outcome): void {
  console.log(`\n${name}: ${seconds} s, one run of its tests ${testSeconds} s`);
  if (untested > 0) console.log(`  stopped after ${seconds} s with ${untested} mutants untested`);
  for (const survivor of survivors) console.log(`  ${survivor}`);
}

/** Prints one row per module. */
export function printTable(outcomes: ReadonlyMap<string, Outcome>): void {
  const titles = ['module', 'mutants', 'killed', 'timed out', 'survived', 'no coverage', 'score', 'seconds'];
  const rows = [...outcomes].map(([name, outcome]) => [
    name,
    `${outcome.mutants}${outcome.untested > 0 ? ` of ${outcome.mutants + outcome.untested}` : ''}`,
    ...[outcome.killed, outcome.timedOut, outcome.survived, outcome.uncovered].map(String),
    `${outcome.score.toFixed(1)} %`,
    String(outcome.seconds),
  ]);
  const widths = titles.map((title, at) =>
    Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)),
  );
  console.log('');
  for (const row of [titles, ...rows])
    console.log(
      row
        .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
        .join('  '),
    );
}
