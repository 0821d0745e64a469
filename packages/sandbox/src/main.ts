#!/usr/bin/env node
import { runCommand } from './command.ts';
import { startSandbox } from './start-sandbox.ts';

await runCommand((options) => startSandbox(options));
