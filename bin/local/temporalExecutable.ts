import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { goInstall, lastLine } from './goInstall.ts';
import { identify } from './identity.ts';

const run = promisify(execFile);
const PROJECT_CACHE = fileURLToPath(new URL('../../.data/cache', import.meta.url));
const MODULE = 'github.com/temporalio/cli/cmd/temporal@v1.5.1'; // later versions contain a local `replace`, which `go install` refuses
const DOWNLOAD_LIMIT_MILLISECONDS = 120_000;

/** `cacheFolder`: keeps downloaded and built programs. `searchPath`: replaces PATH. */
export interface TemporalSearch {
  cacheFolder: string;
  searchPath?: string;
  progress: (line: string) => void;
}

/**
 * Finds a `temporal` program: on PATH, in the cache or in the project's cache. Otherwise downloads it with the SDK or builds it with Go, and
 * puts it into the cache. Throws an error with advice if everything fails.
 */
export async function findTemporal({ cacheFolder, searchPath, progress }: TemporalSearch): Promise<string> {
  const onPath = (searchPath ?? process.env.PATH ?? '')
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, 'temporal'));
  for (const candidate of [...onPath, join(cacheFolder, 'temporal'), join(PROJECT_CACHE, 'temporal')]) {
    if (isExecutable(candidate) && (await works(candidate))) return candidate;
  }
  await mkdir(cacheFolder, { recursive: true });
  await removeUnfinished(cacheFolder);
  const failures: string[] = [];
  for (const obtain of [download, build]) {
    const folder = await mkdtemp(join(cacheFolder, `unfinished-${process.pid}-`));
    try {
      return await keep(await obtain(folder, progress), join(cacheFolder, 'temporal'));
    } catch (error) {
      failures.push(`  ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  throw new Error(
    `No Temporal server could be found, downloaded or built:\n${failures.join('\n')}\nInstall the Temporal CLI ("temporal") or Go and ` +
      'start again, or set TEMPORAL_ADDRESS to a server that runs elsewhere.',
  );
}

/** Removes the files of killed downloads and builds, but not those of processes that still run. */
async function removeUnfinished(cacheFolder: string): Promise<void> {
  for (const name of await readdir(cacheFolder)) {
    const pid = /^unfinished-(\d+)-/.exec(name)?.[1];
    if (pid && !identify(Number(pid))) await rm(join(cacheFolder, name), { recursive: true, force: true });
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether a program is Temporal's and runs on this machine. */
async function works(path: string): Promise<boolean> {
  const { stdout } = await run(path, ['--version'], { timeout: 20_000, env: temporalEnvironment() }).catch(() => ({
    stdout: '',
  }));
  return stdout.includes('Server');
}

async function keep(unfinished: string, executable: string): Promise<string> {
  if (!(await works(unfinished))) throw new Error(`The downloaded or built program does not run: ${unfinished}`);
  await rename(unfinished, executable);
  return executable;
}

/** Downloads the program in a child process, because the SDK's download cannot be interrupted. */
async function download(folder: string, progress: (line: string) => void): Promise<string> {
  progress('Downloading the Temporal server (once, about 50 MB, at most two minutes) …');
  const script = fileURLToPath(new URL('./downloadTemporal.ts', import.meta.url));
  const options = { timeout: DOWNLOAD_LIMIT_MILLISECONDS, killSignal: 'SIGKILL' } as const;
  await run(process.execPath, [script, folder], options).catch((error: { killed?: boolean; stderr?: string }) => {
    const why = error.killed ? 'it took longer than two minutes' : lastLine(error.stderr ?? '');
    throw new Error(`Download by the Temporal SDK: ${why}`);
  });
  const [file] = await readdir(folder);
  if (!file) throw new Error('Download by the Temporal SDK: it left no file');
  return join(folder, file);
}

async function build(folder: string, progress: (line: string) => void): Promise<string> {
  progress('Building the Temporal server with Go (once, about three minutes on two cores) …');
  await goInstall(MODULE, { folder, progress });
  return join(folder, 'temporal');
}

/** The environment without the user's variables and configuration files for Temporal, which are for other servers. */
export function temporalEnvironment(): NodeJS.ProcessEnv {
  const isForeign = (name: string) => name.startsWith('TEMPORAL_') || name === 'HOME' || name === 'XDG_CONFIG_HOME';
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isForeign(name)));
}
