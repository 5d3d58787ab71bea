import { runInNewContext } from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';
import { importShared } from './sharedModules.ts';
import { follow } from './strays.ts';

/** Names of JavaScript's own globals: `Date`, `Number` and so on. */
const builtIns: string[] = runInNewContext(`Object.entries(Object.getOwnPropertyDescriptors(globalThis))
  .flatMap(([name, { writable }]) => (writable && name !== 'globalThis' ? [name] : []))`);

/**
 * Jest's environment of a test file. Node loads the files that share modules, with its own `Date` and `Number`. Jest's `expect` has to use
 * the same ones. Otherwise `expect.any(Number)` would match no number and all dates would be equal.
 */
export default class SharingEnvironment extends TestEnvironment {
  readonly #sharing: string | null;

  constructor(...[config, context]: ConstructorParameters<typeof TestEnvironment>) {
    super(config, context);
    const transform = config.projectConfig.transform.find(([pattern]) => new RegExp(pattern).test(context.testPath));
    this.#sharing = transform?.[1].endsWith('/sharedFile.js') ? context.testPath : null;
  }

  override async setup(): Promise<void> {
    await super.setup();
    if (this.#sharing === null) return;
    for (const name of builtIns) Reflect.set(this.global, name, Reflect.get(globalThis, name));
    this.global.importShared = importShared;
  }

  override async teardown(): Promise<void> {
    if (this.#sharing !== null) follow(this.#sharing);
    await super.teardown();
  }
}
