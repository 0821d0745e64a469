/** The command `datadeck`. Its commands work beside a running Datadeck, or alone. */
import { runProgram } from './program.ts';

await runProgram(process.argv.slice(2));
