import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const project = fileURLToPath(new URL('..', import.meta.url));
const program = fileURLToPath(new URL('./dashboardProgram.ts', import.meta.url));

/**
 * Builds the dashboard once per version into a cache folder, and returns the folder of the build. The builder runs in a process of its own,
 * because it takes much memory. `progress` is told when it has to work.
 */
export async function buildDashboard(cacheFolder: string, progress: (text: string) => void): Promise<string> {
  const folder = join(cacheFolder, `dashboard-${version()}`);
  if (!existsSync(folder)) {
    mkdirSync(cacheFolder, { recursive: true });
    progress('Building the dashboard (once per version, some seconds) …');
    await promisify(execFile)(process.execPath, [program, folder], { env: { ...process.env, NODE_ENV: 'production' } });
  }
  return folder;
}

/** Hash of everything that the build reads. */
function version(): string {
  const hash = createHash('sha256').update(readFileSync(join(project, 'package-lock.json')));
  const files = globSync(['dashboard/**/*.{ts,tsx,css}', 'client/*.ts', 'words/**/*.ts', 'bin/dashboardProgram.ts'], {
    cwd: project,
  });
  for (const file of files.sort()) hash.update(file).update(readFileSync(join(project, file)));
  return hash.digest('hex').slice(0, 16);
}
