/**
 * `npm run release`: turns the changesets of `.changeset` into new versions and change logs. The product has one version, that of
 * `@datadeck/server`, and one change log, in the root. Commit the result and tag it `vVERSION`.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

const LOG = 'CHANGELOG.md';
const SERVER_LOG = `packages/server/${LOG}`;
/** Packages that are released with the product and need no change log. */
const PARTS = ['packages/web', 'packages/connectors', 'packages/contract', 'e2e'];

const run = (command: string, ...args: string[]) => execFileSync(command, args, { stdio: 'inherit' });
const versionOf = (file: string) => (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;

run('npm', 'ci', '--prefix', '.changeset');
if (existsSync(LOG)) renameSync(LOG, SERVER_LOG);
run(process.execPath, '.changeset/node_modules/@changesets/cli/bin.js', 'version');
renameSync(SERVER_LOG, LOG);
writeFileSync(LOG, readFileSync(LOG, 'utf8').replace(/^# .*/, '# Changes'));
for (const part of PARTS) rmSync(`${part}/${LOG}`, { force: true });

const version = versionOf('packages/server/package.json');
const manifest = readFileSync('package.json', 'utf8');
writeFileSync('package.json', manifest.replace(/"version": "[^"]*"/, `"version": "${version}"`));
run('npm', 'install', '--package-lock-only', '--ignore-scripts');
