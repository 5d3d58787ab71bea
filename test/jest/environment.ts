import { runInNewContext } from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';
import { blameFile } from './lateErrors.ts';
import { importShared } from './sharedModules.ts';

/** Names of JavaScript's own globals: `Date`, `Number` and so on. */
const builtIns: string[] = runInNewContext(`Object.entries(Object.getOwnPropertyDescriptors(globalThis))
  .flatMap(([name, { writable }]) => (writable && name !== 'globalThis' ? [name] : []))`);

/**
 * Jest's environment of a test file. Node loads the file and its modules, with its own `Date` and `Number`. Jest's `expect` has to use the
 * same ones. Otherwise `expect.any(Number)` would match no number and all dates would be equal.
 */
export default class SharingEnvironment extends TestEnvironment {
  readonly #path: string;

  constructor(...[config, context]: ConstructorParameters<typeof TestEnvironment>) {
    super(config, context);
    this.#path = context.testPath;
  }

  override async setup(): Promise<void> {
    await super.setup();
    for (const name of builtIns) Reflect.set(this.global, name, Reflect.get(globalThis, name));
    this.global.importShared = (path: string, globals: Parameters<typeof importShared>[1]) =>
      importShared(path, globals, this.global.console);
  }

  override async teardown(): Promise<void> {
    blameFile(this.#path);
    await super.teardown();
  }
}
