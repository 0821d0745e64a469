import type { SeededRandom } from '../seeded-random.ts';
import type { PullProject } from './pull-project.ts';

/** Returns the description of a pull request: sometimes none, often with CRLF like from browsers, rarely with a long log. */
export function writeBody(random: SeededRandom, project: PullProject): string | null {
  if (random.chance(0.14)) return null;
  if (random.chance(0.06)) return '';
  const lines = [random.pick(project.reasons)];
  if (random.chance(0.7)) {
    lines.push(
      '',
      '### What changes',
      ...random.some(project.changes, random.between(1, 4)).map((change) => `- ${change}`),
    );
  }
  if (random.chance(0.35)) lines.push('', `Fixes #${random.between(3, 600)}`);
  if (random.chance(0.2)) lines.push('', '- [x] tests', `- [${random.chance(0.5) ? 'x' : ' '}] changelog`);
  if (random.chance(0.05))
    lines.push(
      '',
      '```',
      ...Array.from({ length: random.between(40, 300) }, (_, line) => logLine(random, line)),
      '```',
    );
  return lines.join(random.chance(0.5) ? '\r\n' : '\n');
}

function logLine(random: SeededRandom, line: number): string {
  const level = random.pick(['INFO', 'INFO', 'WARN', 'DEBUG']);
  return `12:${String(line % 60).padStart(2, '0')}:07.${random.between(100, 999)} ${level} worker=${random.between(1, 8)} part=${line} sent=${random.between(1, 5242880)} "goroutine resumed"`;
}
