import type { Command } from 'commander';

/** Adds the command that checks settings, disk, database, providers and clock. */
export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check settings, disk, database, providers and clock; exit with 1 for a problem')
    .action(async () => (await import('./examine.ts')).printFindings());
}
