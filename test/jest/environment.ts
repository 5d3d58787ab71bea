import { TestEnvironment } from 'jest-environment-node';
import { importShared } from './sharedModules.ts';
import { follow } from './strays.ts';

/** Where a test file runs. Those that share modules (see sharedFile.js) ask it for their own import. */
export default class SharingEnvironment extends TestEnvironment {
  #sharing: string | null = null;

  override async setup(): Promise<void> {
    await super.setup();
    this.global.importShared = (path: string, globals: Parameters<typeof importShared>[1]) => {
      this.#sharing = path;
      return importShared(path, globals);
    };
  }

  override async teardown(): Promise<void> {
    if (this.#sharing !== null) follow(this.#sharing);
    await super.teardown();
  }
}
