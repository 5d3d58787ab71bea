import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Programs that the extra tests need and npm does not install. */
export interface Tools {
  chromium: string;
  schemathesis: string;
}

const SCHEMATHESIS_VERSION = '4.32.5';

/** Finds the programs. Installs missing ones: Chromium and Poppler from Debian (as root), schemathesis from PyPI into the cache. */
export function ensureTools(cacheFolder: string, progress: (line: string) => void): Tools {
  const chromium = onPath(['chromium', 'chromium-browser', 'google-chrome']);
  const missing = [...(chromium ? [] : ['chromium']), ...(onPath(['pdftoppm']) ? [] : ['poppler-utils'])];
  if (missing.length > 0) installFromDebian(missing, progress);
  const found = chromium ?? onPath(['chromium']);
  if (!found) throw new Error('Chromium was installed but is not on the PATH');
  return { chromium: found, schemathesis: ensureSchemathesis(cacheFolder, progress) };
}

export function ensureSchemathesis(cacheFolder: string, progress: (line: string) => void): string {
  const folder = join(cacheFolder, `schemathesis-${SCHEMATHESIS_VERSION}`);
  const program = join(folder, 'bin', 'schemathesis');
  if (existsSync(program)) return program;
  progress(`Installing schemathesis ${SCHEMATHESIS_VERSION} into ${folder} (once)`);
  run('python3', ['-m', 'venv', folder], 'schemathesis needs Python 3 with the venv module');
  run(
    join(folder, 'bin', 'pip'),
    ['install', '--quiet', `schemathesis==${SCHEMATHESIS_VERSION}`],
    'PyPI must be reachable',
  );
  return program;
}

function installFromDebian(names: readonly string[], progress: (line: string) => void): void {
  progress(`Installing ${names.join(' and ')} (once)`);
  const how = `install them by hand: apt-get install ${names.join(' ')}`;
  run('apt-get', ['update', '-qq'], how);
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], how);
}

function run(program: string, args: readonly string[], otherwise: string): void {
  try {
    execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  } catch (error) {
    throw new Error(`${program} ${args[0]} failed; ${otherwise}`, { cause: error });
  }
}

function onPath(names: readonly string[]): string | null {
  const folders = (process.env.PATH ?? '').split(':');
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync) ?? null;
}
