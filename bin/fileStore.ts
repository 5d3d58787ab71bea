import { createDiskStore } from '../adapters/files/disk.ts';
import { createS3Store } from '../adapters/files/s3.ts';
import type { FileStore } from '../commands/ports/ports.ts';
import type { FilesConfig } from './filesConfig.ts';

export function createFileStore(config: FilesConfig): FileStore & { close(): Promise<void> } {
  if ('s3' in config) return createS3Store(config.s3);
  return { ...createDiskStore(config.folder), close: () => Promise.resolve() };
}
