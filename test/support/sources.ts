import { globSync } from 'node:fs';
import { basename, sep } from 'node:path';
import { projectFolder } from '../suites.ts';

const notOurs = new Set(['node_modules', '.data', '.git']);

/** All TypeScript and JavaScript files of the rooms, relative to the project, with forward slashes. */
export function sourceFiles(): string[] {
  const found = globSync('*/**/*.{ts,tsx,mts,cts,js,mjs,cjs}', {
    cwd: projectFolder,
    exclude: (path) => notOurs.has(basename(path)),
  });
  return found.map((file) => file.replaceAll(sep, '/')).sort();
}
