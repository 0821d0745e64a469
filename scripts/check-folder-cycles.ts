/** Fails when folders of `packages` need each other, also a folder and its parent, which dependency-cruiser's folder rule does not see. */
import { dirname } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';

type Graph = Map<string, Map<string, string>>;

/** Reads which folder imports which, with one import as the example. Tests and their support may use anything. */
async function readFolders(): Promise<Graph> {
  const { output } = await cruise(['packages'], {
    exclude: { path: '(^|/)(dist|migrations|test-support)[.0-9]*/|\\.test\\.tsx?$' },
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
    },
  });
  const folders: Graph = new Map();
  for (const { source, dependencies } of (output as ICruiseResult).modules)
    for (const { resolved } of dependencies) {
      const [from, to] = [dirname(source), dirname(resolved)];
      if (from === to || !to.startsWith('packages/')) continue;
      const imports = folders.get(from) ?? new Map<string, string>();
      folders.set(from, imports.set(to, `${source} imports ${resolved}`));
    }
  return folders;
}

/** Returns the folders that `start` leads to, itself only by a cycle. */
function reachable(folders: Graph, start: string): Set<string> {
  const found = new Set<string>();
  const open = [start];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop())
    for (const next of folders.get(folder)?.keys() ?? []) {
      if (!found.has(next)) open.push(next);
      found.add(next);
    }
  return found;
}

const folders = await readFolders();
const reach = new Map([...folders.keys()].map((folder) => [folder, reachable(folders, folder)]));
const cyclic = [...folders].flatMap(([from, imports]) =>
  [...imports].filter(([to]) => reach.get(to)?.has(from)).map(([, example]) => example),
);
if (folders.size < 20) cyclic.push(`only ${folders.size} folders were read`);
for (const example of cyclic) console.log(`part of a folder cycle: ${example}`);
process.exitCode = cyclic.length > 0 ? 1 : 0;
