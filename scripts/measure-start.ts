/**
 * `node scripts/measure-start.ts [folder]`: runs `npm start` in a checkout (this one by default) on a data folder of its
 * own, prints the seconds until the login page answers and, after a minute of idling, the memory of the whole process
 * tree (proportional set size), npm and database included.
 */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeTemporaryFolder, removeDataFolder } from '../packages/server/test-support/temporary-folder.ts';

const folder = process.argv[2] ?? '.';
const IDLE_S = Number(process.argv[3] ?? 60);
const port = 20_000 + Math.floor(Math.random() * 20_000);
const data = makeTemporaryFolder('datadeck-measure-');

interface Process {
  pid: number;
  parent: number;
  name: string;
  group: number;
}

function processes(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        return [
          {
            pid: Number(name),
            parent: Number(fields[1]),
            group: Number(fields[2]),
            name: stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')),
          },
        ];
      } catch {
        return [];
      }
    });
}

/** A process and all that it started; the database's processes hang on their main process. */
function treeOf(root: number): Process[] {
  const all = processes();
  const found = new Set([root]);
  for (let size = 0; size !== found.size; ) {
    size = found.size;
    for (const { pid, parent } of all) if (found.has(parent)) found.add(pid);
  }
  return all.filter(({ pid }) => found.has(pid));
}

function proportionalKb(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8').match(/^Pss:\s+(\d+)/m)?.[1] ?? 0);
  } catch {
    return 0;
  }
}

async function waitForLogin(begun: number): Promise<number> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/`, { headers: { accept: 'text/html' } }).catch(
      () => undefined,
    );
    if (answer?.ok) return (performance.now() - begun) / 1000;
    await sleep(50);
  }
}

for (const start of ['first start', 'second start']) {
  const begun = performance.now();
  const npm = spawn('npm', ['start'], {
    cwd: folder,
    env: { ...process.env, PORT: String(port), DATA_DIR: data, LOG_LEVEL: 'warn' },
    stdio: 'ignore',
  });
  const seconds = await waitForLogin(begun);
  console.log(`${start}: the login page answered after ${seconds.toFixed(1)} s`);
  if (start === 'second start') {
    await sleep(IDLE_S * 1000);
    const tree = treeOf(npm.pid ?? 0);
    const sizes = tree.map(({ pid, name }) => ({ name, mb: proportionalKb(pid) / 1024 }));
    for (const { name, mb } of sizes) console.log(`  ${mb.toFixed(1).padStart(6)} MB  ${name}`);
    console.log(
      `idle memory of ${tree.length} processes: ${sizes.reduce((sum, { mb }) => sum + mb, 0).toFixed(0)} MB`,
    );
  }
  const server = treeOf(npm.pid ?? 0).find(({ name, pid }) => name === 'node' && pid !== npm.pid);
  process.kill(server?.pid ?? npm.pid ?? 0, 'SIGTERM');
  await new Promise((resolve) => npm.once('exit', resolve));
}
removeDataFolder(data);
