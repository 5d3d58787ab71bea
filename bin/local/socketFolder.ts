import { once } from 'node:events';
import { chmod, rm } from 'node:fs/promises';
import { createConnection, createServer } from 'node:net';
import { join } from 'node:path';
import { makePrivateFolder, type PostgresFiles } from './postgresFiles.ts';

/** The longest path of a socket that PostgreSQL accepts on macOS, in bytes. Linux allows four more. */
const LONGEST_PATH = 103;

/**
 * Creates the folder for PostgreSQL's Unix socket, which takes less CPU than a port (docs/performance.md). Removes what a server that was not shut
 * down has left there. Returns whether PostgreSQL can have a socket in the folder. If not, there is no folder: the path is too long, PostgreSQL
 * would read it as a list, the file system or the system has no sockets, or this process may not use the folder.
 */
export async function makeSocketFolder({ socketFolder, user }: PostgresFiles, port: number): Promise<boolean> {
  const path = join(socketFolder, `.s.PGSQL.${port}`); // the name that PostgreSQL uses
  try {
    await rm(socketFolder, { recursive: true, force: true });
    if (Buffer.byteLength(path) > LONGEST_PATH || /[",]/.test(socketFolder)) return false;
    await makePrivateFolder(socketFolder, user);
    await tryConnection(path);
    return true;
  } catch {
    await rm(socketFolder, { recursive: true, force: true }).catch(() => undefined);
    return false;
  }
}

/** Listens at a path as PostgreSQL does, and connects to it. Throws if this is not possible. Leaves no socket behind. */
async function tryConnection(path: string): Promise<void> {
  const server = createServer((connection) => connection.destroy());
  try {
    await once(server.listen(path), 'listening');
    await chmod(path, 0o777);
    const client = createConnection(path);
    await once(client, 'connect').finally(() => client.destroy());
  } finally {
    server.close();
  }
}
