import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  accessSync,
  chownSync,
  constants,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { StartError } from '../start-error.ts';

/** User of the database: the current user; for root (which PostgreSQL refuses) the existing owner, else `nobody`. */
export interface Owner {
  uid?: number;
  gid?: number;
}

/** Paths and owner of the embedded database. */
export interface ClusterPaths {
  /** Contains binaries, cluster and log. */
  folder: string;
  cluster: string;
  /** Folder of the unix socket; its path is within the limit of 107 bytes. */
  socket: string;
  log: string;
  owner: Owner;
}

function databaseOwner(): Owner {
  if (process.getuid?.() !== 0) return {};
  try {
    const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return { uid: 65534, gid: 65534 };
  }
}

/** Changes the owner of a path to the database's user. */
export function chownTo(path: string, { uid, gid }: Owner): void {
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}

/** Returns the cluster's owner. Files that root restored from a backup are given to the database's user. */
function resolveOwner(folder: string, usual: Owner): Owner {
  const cluster = join(folder, 'cluster');
  if (usual.uid === undefined || !existsSync(cluster)) return usual;
  const { uid, gid } = statSync(cluster);
  if (uid !== 0) return { uid, gid };
  for (const path of ['cluster', 'log', 'run'].map((name) => join(folder, name)).filter(existsSync)) {
    chownTo(path, usual);
    for (const name of readdirSync(path, { recursive: true, encoding: 'utf8' })) {
      const inner = join(path, name);
      if (lstatSync(inner).uid === 0) lchownSync(inner, usual.uid, usual.gid ?? usual.uid);
    }
  }
  return usual;
}

/** Returns whether users other than root can access the folder, so all ancestors are searchable by everybody. */
function isReachableByOthers(folder: string): boolean {
  for (let path = folder; ; path = dirname(path)) {
    if (existsSync(path) && (statSync(path).mode & 0o001) === 0) return false;
    if (path === dirname(path)) return true;
  }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

/**
 * Returns the folder of the database: DATA_DIR/postgres. For root with a private DATA_DIR (e.g. below /root), which
 * `nobody` cannot access: /var/lib/datadeck/<id>, whose path is stored in DATA_DIR/postgres.location.
 */
function chooseFolder(dataDir: string, owner: Owner): string {
  const usual = join(dataDir, 'postgres');
  if (owner.uid === undefined || existsSync(usual) || isReachableByOthers(dataDir)) return usual;
  const locationFile = join(dataDir, 'postgres.location');
  if (existsSync(locationFile)) {
    const named = readFileSync(locationFile, 'utf8').trim();
    if (existsSync(named)) return named;
    throw new StartError(
      `The database is in ${named}, as ${locationFile} says, but that folder is missing. Restore it from a backup, or start with an empty database by removing ${locationFile}.`,
    );
  }
  const elsewhere = join('/var/lib/datadeck', randomUUID());
  // Create the folder first, so that a location file without its folder always means a lost database.
  mkdirSync(elsewhere, { recursive: true, mode: 0o755 });
  writeFileSync(locationFile, `${elsewhere}\n`);
  return elsewhere;
}

/** Returns the existing folder of the database of a data folder; undefined when none was created or it is missing. */
export function findDatabaseFolder(dataDir: string): string | undefined {
  const locationFile = join(dataDir, 'postgres.location');
  const folder = existsSync(locationFile)
    ? readFileSync(locationFile, 'utf8').trim()
    : join(dataDir, 'postgres');
  return existsSync(folder) ? folder : undefined;
}

/** Returns whether a database was ever created for a data folder. */
export function hasDatabase(dataDir: string): boolean {
  return ['postgres', 'postgres.location'].some((name) => existsSync(join(dataDir, name)));
}

/** Creates a folder that only its owner can access. @throws StartError if another user created it first */
function makePrivateFolder(path: string, owner: Owner): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const found = lstatSync(path);
  const expected = [owner.uid ?? process.getuid?.(), process.getuid?.()];
  if (!found.isDirectory() || !expected.includes(found.uid)) {
    throw new StartError(
      `${path} belongs to another user; remove it, or set DATA_DIR to a folder of your own.`,
    );
  }
  chownTo(path, owner);
}

/**
 * Creates the folders of the embedded database.
 * @throws StartError when the data folder is not writable
 */
export function prepareFolders(dataDir: string): ClusterPaths {
  const usual = databaseOwner();
  try {
    mkdirSync(dataDir, { recursive: true });
    accessSync(dataDir, constants.W_OK | constants.X_OK);
    const folder = chooseFolder(dataDir, usual);
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    const owner = resolveOwner(folder, usual);
    const nearby = join(folder, 'run');
    const socket = nearby.length <= 80 ? nearby : join(tmpdir(), `datadeck-${hash(folder)}`);
    makePrivateFolder(socket, owner);
    makePrivateFolder(join(folder, 'log'), owner);
    return {
      folder,
      cluster: join(folder, 'cluster'),
      socket,
      log: join(folder, 'log', 'postgres.log'),
      owner,
    };
  } catch (error) {
    if (error instanceof StartError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(
      `The data folder ${dataDir} cannot be written (${reason}). Set DATA_DIR to a folder that this user may write.`,
      error,
    );
  }
}
