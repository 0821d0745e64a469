/**
 * `node bench/stranger.ts [--check] [--only NAME] [--each SECONDS] [--together SECONDS] [--list]`: attacks a real server
 * one after another (`--only`: one alone) and then by all attacks together, while two threads read `/healthz` and the pages
 * of a signed-in user. The providers are a sandbox in a process of its own; attackers are another process, of low priority.
 * Prints what was answered, how long the reads took, the memory of all processes (PSS, so that shared memory counts once)
 * before, at most and after, and what was left in temporary folders. With `--check` it exits 1 when a goal is missed.
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { AttackedProduct } from './stranger/attacked-product.ts';
import { checkGoals, type Figures, GOALS, showRow } from './stranger/report.ts';

const { values } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    each: { type: 'string', default: '8' },
    together: { type: 'string', default: '120' },
    list: { type: 'boolean', default: false },
  },
});
const { ATTACKS } = await import('./stranger/attackers.ts');
const names = ATTACKS.map(({ name }) => name).filter((name) => values.only?.includes(name) ?? true);
const each = Number(values.each);
const together = Number(values.together);

if (values.list) console.log(names.join('\n'));
else if (names.length === 0) throw new Error('no attack has that name: see --list');
else await run();

async function run(): Promise<void> {
  console.log(`load of the machine before: ${loadavg()[0]?.toFixed(2)}`);
  const product = await AttackedProduct.start(names);
  try {
    const rounds: Figures[] = [];
    const attack = async (title: string, which: readonly string[], seconds: number) => {
      if (seconds === 0) return;
      const figures = await product.attack(title, which, seconds);
      rounds.push(figures);
      showRow(figures);
    };
    await attack('(nobody)', [], Math.min(each, 10));
    const before = await product.restingMemory();
    for (const name of names) await attack(name, [name], each);
    if (names.length > 1) await attack('all together', names, together);
    const failures = checkGoals(rounds, {
      before,
      after: await product.restingMemory(GOALS.growth * before.total),
      leftovers: product.leftovers(),
      errors: product.errors(),
    });
    if (values.check && failures > 0) process.exitCode = 1;
  } finally {
    await product.stop();
  }
}
