import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { goInstall } from '../../bin/local/goInstall.ts';
import { projectFolder } from '../suites.ts';

const CACHE = join(projectFolder, '.data', 'cache');

/** The path of a program that tests need, built with Go by the first test run. */
export async function goProgram({
  name,
  module,
  version,
}: Record<'name' | 'module' | 'version', string>): Promise<string> {
  const program = join(CACHE, `${name}-${version}`);
  if (existsSync(program)) return program;
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, `unfinished-${process.pid}-`));
  try {
    await goInstall(`${module}@${version}`, { folder, progress: () => {} });
    await rename(join(folder, name), program);
  } catch (cause) {
    throw new Error(`This test needs ${name}, which is built with Go`, { cause });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return program;
}
