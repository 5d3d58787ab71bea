import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { useGlobals } from './globals.ts';

/** Replacement of '@jest/globals', which only works in modules that Jest loads. */
const GLOBALS = new URL('./globals.ts', import.meta.url).href;

registerHooks({
  resolve: (name, context, next) =>
    name === '@jest/globals' ? { url: GLOBALS, format: 'module-typescript', shortCircuit: true } : next(name, context),
});

/**
 * Lets Node load a test file and its modules. All files of a worker share these modules, because loading them again for each file takes
 * longer than most files. The state of a module persists between files, as it does in a process of the product. What the modules write to
 * the console goes to `console`, which the report shows for a file that fails.
 */
export async function importShared(
  path: string,
  globals: Parameters<typeof useGlobals>[0],
  console: Console,
): Promise<void> {
  useGlobals(globals);
  globalThis.console = console;
  await import(pathToFileURL(path).href);
}
