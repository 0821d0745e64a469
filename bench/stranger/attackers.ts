/** The process of all attackers. Its parent names attacks and their time; it replies with what the product answered. */
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Attack, OTHER_MACHINE_NICENESS, type Target } from './attack.ts';
import { MAIL_ATTACKS } from './mail-attacks.ts';
import { QUERY_ATTACKS } from './query-attacks.ts';
import { READER_ATTACKS } from './reader-attacks.ts';
import { REQUEST_ATTACKS } from './request-attacks.ts';
import { SIGN_IN_ATTACKS } from './sign-in-attacks.ts';

export const ATTACKS: readonly Attack[] = [
  ...MAIL_ATTACKS,
  ...REQUEST_ATTACKS,
  ...QUERY_ATTACKS,
  ...READER_ATTACKS,
  ...SIGN_IN_ATTACKS,
];

/** Whom attackers attack, by the names of the attacks. */
type Aim = Omit<Target, 'signal' | 'note'>;
export interface AttackOrder {
  aims: Record<string, Aim>;
  seconds: number;
}

/** How often each answer came, by the names of the attacks. */
export type Answers = Record<string, Record<string, number>>;

/** A failing round must not become a busy loop of the bench itself. */
const PAUSE_MS = 100;
async function attack(one: Attack, aim: Aim, signal: AbortSignal): Promise<Record<string, number>> {
  const answers: Record<string, number> = {};
  const note = (answer: string) => {
    answers[answer] = (answers[answer] ?? 0) + 1;
  };
  const keepAttacking = async () => {
    while (!signal.aborted) {
      await one.run({ ...aim, signal, note }).catch((error: unknown) => note(`the attack failed: ${error}`));
      await sleep(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: one.atOnce ?? 1 }, keepAttacking));
  return answers;
}

if (process.send) {
  setPriority(OTHER_MACHINE_NICENESS);
  process.on('message', async ({ aims, seconds }: AttackOrder) => {
    const signal = AbortSignal.timeout(seconds * 1000);
    const named = ATTACKS.flatMap((one) => {
      const aim = aims[one.name];
      return aim ? [attack(one, aim, signal).then((answers) => [one.name, answers] as const)] : [];
    });
    process.send?.(Object.fromEntries(await Promise.all(named)) satisfies Answers);
  });
}
