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

/** The processes that a kept bundle knows, by name. */
export const processesOf = (name: string): string[] =>
  Object.keys(workflows)
    .filter((process) => codeOf(name).includes(`"./workflows/${process}.ts"`))
    .sort();

/** Puts a kept bundle where a worker with this cache folder finds what it takes for the code of today. */
export async function installBundle(name: string, cacheFolder: string): Promise<void> {
  const { codePath } = await bundleWorkflows(cacheFolder);
  writeFileSync(codePath, codeOf(name));
}

const EMPTY_MAP = Buffer.from('{"version":3,"sources":[],"names":[],"mappings":""}').toString('base64');

/** The code alone: its map is two thirds of a bundle, and has the paths of whoever made it. The SDK wants to find one. */
export function withoutSourceMap(code: string): string {
  const at = code.lastIndexOf('\n//# sourceMappingURL=');
  if (at < 0) throw new Error('The bundle has no source map');
  return `${code.slice(0, at)}\n//# sourceMappingURL=data:application/json;base64,${EMPTY_MAP}\n`;
}
