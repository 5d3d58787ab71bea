import { relative } from 'node:path';
import circus from 'jest-circus/runner';
import { projectFolder, suiteOf } from '../suites.ts';
import { runFile } from './sharedModules.ts';

/** Where Temporal is not needed files share modules; its library keeps a runtime for each process, so that the others get their own from Jest. */
export default function runner(globalConfig, config, environment, runtime, path, ...rest) {
  if (suiteOf(relative(projectFolder, path))?.temporal === false) return runFile(globalConfig, config, path);
  return circus.default(globalConfig, config, environment, runtime, path, ...rest);
}
