import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Programs that the extra tests need and npm does not install. */
export interface Tools {
  chromium: string;
  schemathesis: string;
  /** Jar file of Mustang, which checks e-invoices, with veraPDF in it. Java runs it. */
  mustang: string;
}

const SCHEMATHESIS_VERSION = '4.32.5';

const MUSTANG = {
  url: 'https://repo.maven.apache.org/maven2/org/mustangproject/Mustang-CLI/2.26.0/Mustang-CLI-2.26.0.jar',
  sha256: '42d7868cb68264874a7b8cab4c3587b03b23ccc7cd72373da917f66758bb9736',
};

/**
 * Finds the programs. Installs missing ones: Chromium, Poppler and Java from Debian (as root), schemathesis from PyPI and Mustang from Maven
 * Central into the cache.
 */
export async function ensureTools(cacheFolder: string, progress: (line: string) => void): Promise<Tools> {
  const chromium = onPath(['chromium', 'chromium-browser', 'google-chrome']);
  const missing = [
    ...(chromium ? [] : ['chromium']),
    ...(onPath(['pdftoppm']) ? [] : ['poppler-utils']),
    ...(onPath(['java']) ? [] : ['default-jre-headless']),
  ];
  if (missing.length > 0) installFromDebian(missing, progress);
  const found = chromium ?? onPath(['chromium']);
  if (!found) throw new Error('Chromium was installed but is not on the PATH');
  const schemathesis = ensureSchemathesis(cacheFolder, progress);
  return { chromium: found, schemathesis, mustang: await ensureMustang(cacheFolder, progress) };
}

async function ensureMustang(cacheFolder: string, progress: (line: string) => void): Promise<string> {
  const file = join(cacheFolder, `mustang-${MUSTANG.sha256.slice(0, 16)}.jar`);
  if (existsSync(file)) return file;
  progress(`Downloading ${MUSTANG.url} (once)`);
  const answer = await fetch(MUSTANG.url);
  const bytes = Buffer.from(await answer.arrayBuffer());
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (sha256 !== MUSTANG.sha256) throw new Error(`${MUSTANG.url} has another content: ${answer.status}, ${sha256}`);
  await mkdir(cacheFolder, { recursive: true });
  await writeFile(`${file}.${process.pid}`, bytes);
  await rename(`${file}.${process.pid}`, file);
  return file;
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
