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

const ports = 'commands/ports.ts';

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
    types: [ports],
    libraries: [
      '@myriaddreamin/typst-ts-node-compiler',
      'aws4',
      'ipaddr.js',
      'nodemailer',
      'pg',
      'standardwebhooks',
      'undici',
    ],
  },
  workflows: { ...bare, types: ['billing'], libraries: ['@temporalio/workflow', '@temporalio/common'] },
  api: {
    ...usual,
    values: ['billing', 'db', 'present', 'commands'],
    libraries: [
      'koa',
      '@koa/router',
      'koa-body',
      '@fastify/busboy',
      'fastest-levenshtein',
      'oidc-provider',
      'ipaddr.js',
      'zod',
    ],
  },
  workers: {
    ...usual,
    values: ['billing', 'db', 'present', 'commands', 'workflows'],
    libraries: ['pg', '@temporalio/worker', '@temporalio/activity', '@temporalio/client', '@temporalio/common'],
  },
  client: bare,
};

/** The folders of a room in order: a file imports only from its own folder and from those before it. */
const orders: Readonly<Record<string, readonly string[]>> = {
  commands: [
    'kernel',
    'accounts',
    'catalog',
    'mail',
    'files',
    'aggregates',
    'tasks',
    'credit',
    'customers',
    'documents',
    'lineItems',
    'payments',
    'invoices',
    'estimates',
    'creditNotes',
    'bills',
    'subscriptions',
    'charges',
    'collection',
    'clocks',
    'webhooks',
  ],
  'db/queries': [
    'kernel',
    'accounts',
    'catalog',
    'files',
    'documents',
    'credit',
    'invoices',
    'bills',
    'customers',
    'processes',
    'clocks',
    'events',
    'webhooks',
    'audit',
  ],
  api: ['body', 'framework', 'limits', 'reading', 'writing', 'versions', 'resources', 'openapi', 'pages', 'middleware'],
  present: [
    'kernel',
    'accounts',
    'catalog',
    'mail',
    'files',
    'tasks',
    'payments',
    'customers',
    'documents',
    'subscriptions',
    'processes',
    'clocks',
    'webhooks',
    'timelines',
    'printed',
    'emails',
    'explanations',
    'versions',
  ],
};

/** The only files beside those folders: they come before all of them, or after. */
const beside: Readonly<Record<string, number>> = {
  [ports]: Number.NEGATIVE_INFINITY,
  'api/listener.ts': Number.POSITIVE_INFINITY,
  'api/server.ts': Number.POSITIVE_INFINITY,
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
  const order = orderOf(file);
  if (order !== null && rankOf(file, order) === null) return [`${file} is in no known folder of ${order}/`];
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
  if (roomOf(target) === roomOf(file)) return isInOrder(file, target);
  if (room.usual && target === 'db/failpoint.ts') return true;
  return [...room.values, ...(one.typeOnly ? room.types : [])].some(
    (entry) => entry === target || entry === roomOf(target),
  );
}

function isInOrder(file: string, target: string): boolean {
  const order = orderOf(file);
  if (order === null || orderOf(target) !== order) return true;
  const [own, other] = [rankOf(file, order), rankOf(target, order)];
  return own !== null && other !== null && other <= own;
}

/** The room, or part of one, whose folders have an order, of those that a file is in. */
function orderOf(file: string): string | null {
  return Object.keys(orders).find((folder) => file.startsWith(`${folder}/`)) ?? null;
}

/** The place of a file in the order of the folders around it; null: it is in none of them. */
function rankOf(file: string, within: string): number | null {
  const place = beside[file];
  if (place !== undefined) return place;
  const [folder = '', ...rest] = file.slice(within.length + 1).split('/');
  const rank = orders[within]?.indexOf(folder) ?? -1;
  return rank < 0 || rest.length === 0 ? null : rank;
}

/** Circles of files that import each other, each as the files on its way round. Unless `withTypes`, imports of values alone count. */
export function circlesOf(sources: ReadonlyMap<string, string>, { withTypes }: { withTypes: boolean }): string[] {
  const imports = new Map([...sources].map(([file, source]) => [file, importedFiles(file, source, withTypes)]));
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (file: string, way: readonly string[]): void => {
    const start = way.indexOf(file);
    if (start >= 0) found.push([...way.slice(start), file].join(' > '));
    if (start >= 0 || done.has(file)) return;
    for (const target of imports.get(file) ?? []) visit(target, [...way, file]);
    done.add(file);
  };
  for (const file of imports.keys()) visit(file, []);
  return found;
}

function importedFiles(file: string, source: string, withTypes: boolean): string[] {
  return importsOf(source).flatMap(({ specifier, typeOnly }) =>
    specifier?.startsWith('.') && (withTypes || !typeOnly) ? [posix.join(posix.dirname(file), specifier)] : [],
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
