import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { useGlobals } from './globals.ts';

/** What tests import from '@jest/globals', which itself only serves modules that Jest has loaded. */
const GLOBALS = new URL('./globals.ts', import.meta.url).href;

registerHooks({
  resolve: (name, context, next) =>
    name === '@jest/globals' ? { url: GLOBALS, format: 'module-typescript', shortCircuit: true } : next(name, context),
});

/**
 * Loads a test file on modules that Node loads, once for all files of a worker: to load them for each file again takes longer than most
 * files. As in a process of the product, what a module remembers stays.
 */
export async function importShared(path: string, globals: Parameters<typeof useGlobals>[0]): Promise<void> {
  useGlobals(globals);
  await import(pathToFileURL(path).href);
}
