import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { type Import, importsOf } from './imports.ts';

/** What the files of a room may import besides each other. Entries of `values` and `types` are rooms or single files; `types` are for `import type` only. */
interface Room {
  values: readonly string[];
  types: readonly string[];
  libraries: readonly string[];
  /** Node built-ins, db/failpoint.ts and the logger's type. */
  usual: boolean;
}

const usual = { values: [], types: [], libraries: [], usual: true };
const bare = { ...usual, usual: false };

/** Who may import whom. Rooms that are not here are those of `free`. */
const rooms: Readonly<Record<string, Room>> = {
  billing: { ...bare, libraries: ['big.js', 'iso-3166/1-a2-to-1-a3.js', 'temporal-polyfill'] },
  db: {
    ...usual,
    values: ['billing'],
    libraries: ['@mikro-orm/core', '@mikro-orm/postgresql', '@mikro-orm/migrations', 'kysely', 'pg'],
  },
  present: { ...usual, values: ['billing'], types: ['db'] },
  commands: { ...usual, values: ['billing', 'db', 'present'] },
  adapters: {
    ...usual,
    values: ['billing'],
    types: ['commands/ports.ts'],
    libraries: ['@myriaddreamin/typst-ts-node-compiler', 'ipaddr.js', 'nodemailer', 'pg', 'standardwebhooks', 'undici'],
  },
  workflows: { ...bare, types: ['billing'], libraries: ['@temporalio/workflow', '@temporalio/common'] },
  api: {
    ...usual,
    values: ['billing', 'db', 'present', 'commands'],
    libraries: ['koa', '@koa/router', 'koa-body', '@fastify/busboy', 'oidc-provider', 'ipaddr.js', 'zod'],
  },
  workers: {
    ...usual,
    values: ['billing', 'db', 'present', 'commands', 'workflows'],
    libraries: ['pg', '@temporalio/worker', '@temporalio/activity', '@temporalio/client', '@temporalio/common'],
  },
  client: bare,
};

/** These start, prove and measure the others: they import what they like, and nobody imports them. */
const free = new Set(['bin', 'test', 'bench']);

/** The client starts and signals workflows, so it is never part of their bundle. */
const workflowClient = 'workflows/client.ts';

/** The imports of a file that the table does not allow, each as a line; `file` is relative to the project. */
export function forbiddenImports(file: string, source: string): string[] {
  const name = roomOf(file);
  if (free.has(name)) return [];
  const room = rooms[name];
  if (room === undefined) return [`${file} is in no known room`];
  return importsOf(source)
    .filter((one) => !isAllowed(file, room, one))
    .map((one) => `${file} may not import ${one.typeOnly ? 'types of ' : ''}${one.specifier ?? 'what it computes'}`);
}

function isAllowed(file: string, room: Room, one: Import): boolean {
  const { specifier } = one;
  if (specifier === null) return false;
  if (!specifier.startsWith('.')) return isBuiltin(specifier) ? room.usual : isAllowedLibrary(file, room, one);
  const target = posix.join(posix.dirname(file), specifier);
  if (target === workflowClient && roomOf(file) === 'workflows') return false;
  if (roomOf(target) === roomOf(file)) return true;
  if (room.usual && target === 'db/failpoint.ts') return true;
  return [...room.values, ...(one.typeOnly ? room.types : [])].some(
    (entry) => entry === target || entry === roomOf(target),
  );
}

function isAllowedLibrary(file: string, room: Room, { specifier, typeOnly }: Import): boolean {
  if (specifier === '@temporalio/client' && file === workflowClient) return true;
  if (specifier === 'pino' && typeOnly) return room.usual;
  return specifier !== null && room.libraries.includes(specifier);
}

function roomOf(file: string): string {
  return file.split('/')[0] ?? file;
}
