import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { WorkflowBundlePath } from '@temporalio/worker';

const workflows = fileURLToPath(new URL('../workflows', import.meta.url));
const lockFile = fileURLToPath(new URL('../package-lock.json', import.meta.url));
const program = fileURLToPath(new URL('./bundleProgram.ts', import.meta.url));

/**
 * Bundles the workflow code for the workers once per version, and caches it in a folder. The bundler runs in a separate process, because it
 * takes more memory than the worker.
 */
export async function bundleWorkflows(cacheFolder: string): Promise<WorkflowBundlePath> {
  const codePath = join(cacheFolder, `workflows-${version()}.cjs`);
  if (!existsSync(codePath)) {
    mkdirSync(cacheFolder, { recursive: true });
    await promisify(execFile)(process.execPath, [program, workflows, codePath]);
  }
  return { codePath };
}

/** Hash of all workflow files and of the dependencies' lock file. */
function version(): string {
  const hash = createHash('sha256').update(readFileSync(lockFile));
  for (const file of readdirSync(workflows).sort()) hash.update(file).update(readFileSync(join(workflows, file)));
  return hash.digest('hex').slice(0, 16);
}
