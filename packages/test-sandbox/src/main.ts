/** `npm run sandbox`: the sandbox with faults, control and synthetic data, in a process of its own. */
import { runCommand } from '@datadeck/sandbox/parts';
import { startSandbox } from './start-sandbox.ts';

const HELP = `  --messages N       also serve N synthetic messages (account bench-N@sandbox.example)
  --mailboxes N      number of such accounts: bench-M, bench-M-2, bench-M-3, … (1)
  --pulls N          also serve N synthetic pull requests (repository bench/pulls-N)
`;

await runCommand(
  async (options, { messages = 0, mailboxes = 1, pulls = 0 }) => {
    const sandbox = await startSandbox({ ...options, synthetic: { messages, mailboxes, pulls } });
    sandbox.prepare();
    return sandbox;
  },
  { numbers: { messages: '0', mailboxes: '1', pulls: '0' }, help: HELP },
);
