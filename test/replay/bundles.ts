import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { bundleWorkflows } from '../../workers/bundle.ts';
import * as workflows from '../../workflows/index.ts';

const folder = join(import.meta.dirname, 'bundles');

/** Names of the kept workflow bundles of earlier versions. */
export const keptBundles = (): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.cjs.gz'))
    .map((file) => file.replace(/\.cjs\.gz$/, ''));

const codeOf = (name: string): string => gunzipSync(readFileSync(join(folder, `${name}.cjs.gz`))).toString();

/** Names of the processes in a kept bundle. */
export const processesOf = (name: string): string[] =>
  Object.keys(workflows)
    .filter((process) => codeOf(name).includes(`"./workflows/${process}.ts"`))
    .sort();

/** Replaces the current workflow bundle in a worker's cache folder by a kept one. */
export async function installBundle(name: string, cacheFolder: string): Promise<void> {
  const { codePath } = await bundleWorkflows(cacheFolder);
  writeFileSync(codePath, codeOf(name));
}

const EMPTY_MAP = Buffer.from('{"version":3,"sources":[],"names":[],"mappings":""}').toString('base64');

/**
 * Replaces the source map of a bundle by an empty one, which the SDK requires. The map is two thirds of the bundle and contains paths of the
 * machine that built it.
 */
export function withoutSourceMap(code: string): string {
  const at = code.lastIndexOf('\n//# sourceMappingURL=');
  if (at < 0) throw new Error('The bundle has no source map');
  return `${code.slice(0, at)}\n//# sourceMappingURL=data:application/json;base64,${EMPTY_MAP}\n`;
}
