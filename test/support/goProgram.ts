import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { goInstall } from '../../bin/local/goInstall.ts';
import { projectFolder } from '../suites.ts';

const CACHE = join(projectFolder, '.data', 'cache');

/** A program of a Go module. */
export interface GoProgram {
  name: string;
  /** The path of its package. */
  package: string;
  /** The module of the package, if `go install` refuses it because it replaces modules that it needs. */
  module?: string;
  version: string;
}

/** The path of a program that tests need, built with Go by the first test run. */
export async function goProgram(wanted: GoProgram): Promise<string> {
  const { name, version } = wanted;
  const program = join(CACHE, `${name}-${version}`);
  if (existsSync(program)) return program;
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, `unfinished-${process.pid}-`));
  try {
    if (wanted.module) await buildAsDependency(wanted, folder);
    else await goInstall(`${wanted.package}@${version}`, { folder, progress: () => {} });
    await rename(join(folder, name), program);
  } catch (cause) {
    throw new Error(`This test needs ${name}, which is built with Go`, { cause });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return program;
}

const run = promisify(execFile);

/** Builds a program as what another module needs: the module's own replacements then do not count. */
async function buildAsDependency({ name, package: path, module, version }: GoProgram, folder: string): Promise<void> {
  const options = { cwd: folder, env: { ...process.env, GOFLAGS: '-mod=mod' } };
  await run('go', ['mod', 'init', 'tests'], options);
  await run('go', ['get', `${module}@${version}`], options);
  await run('go', ['build', '-o', name, path], options);
}
