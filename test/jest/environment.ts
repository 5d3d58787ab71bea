import { runInNewContext } from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';
import { importShared } from './sharedModules.ts';
import { follow } from './strays.ts';

/** Names of what JavaScript itself has: `Date`, `Number` and so on. */
const builtIns: string[] = runInNewContext(`Object.entries(Object.getOwnPropertyDescriptors(globalThis))
  .flatMap(([name, { writable }]) => (writable && name !== 'globalThis' ? [name] : []))`);

/**
 * Where a test file runs. Its modules are loaded by Node, which has its own `Date` and `Number`: Jest's `expect` has to use the same ones, or
 * `expect.any(Number)` fits no number and all dates are alike.
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
    this.global.importShared = importShared;
  }

  override async teardown(): Promise<void> {
    follow(this.#path);
    await super.teardown();
  }
}
