import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { type Import, importsOf } from './imports.ts';

/** The allowed imports of a room, besides its own files. Entries of `values` and `types` are rooms or files. `types` allows `import type` only. */
interface Room {
  values: readonly string[];
  types: readonly string[];
  libraries: readonly string[];
  /** Whether it may import Node's built-in modules, db/failpoint.ts and the logger's type. */
  mayUseNode: boolean;
}

const withNode = { values: [], types: [], libraries: [], mayUseNode: true };
const withoutNode = { ...withNode, mayUseNode: false };

const ports = 'commands/ports/ports.ts';

/** The allowed imports of each room. The rooms in `unrestricted` may import everything. */
const rooms: Readonly<Record<string, Room>> = {
  billing: {
    ...withoutNode,
    libraries: [
      '@zxcvbn-ts/language-common',
      'big.js',
      'countries-and-timezones',
      'date-holidays',
      'fastest-levenshtein',
      'ibantools',
      'iso-3166/1-a2-to-1-a3.js',
      'iso-3166/2.js',
      'libphonenumber-js/max',
      'otplib',
      'temporal-polyfill',
    ],
  },
  db: {
    ...withNode,
    values: ['billing'],
    libraries: ['@mikro-orm/core', '@mikro-orm/postgresql', '@mikro-orm/migrations', 'kysely', 'pg'],
  },
  words: withoutNode,
  present: {
    ...withNode,
    values: ['billing', 'words'],
    types: ['db'],
    libraries: ['@cj-tech-master/excelts', 'handlebars', 'sanitize-html'],
  },
  commands: { ...withNode, values: ['billing', 'db', 'present', 'words'] },
  adapters: {
    ...withNode,
    values: ['billing'],
    types: [ports],
    libraries: [
      '@myriaddreamin/typst-ts-node-compiler',
      'aws4',
      'ipaddr.js',
      'nodemailer',
      'pg',
      'postal-mime',
      'saxes',
      'standardwebhooks',
      'stripe',
      'undici',
      'uqr',
    ],
  },
  workflows: { ...withoutNode, types: ['billing'], libraries: ['@temporalio/workflow', '@temporalio/common'] },
  api: {
    ...withNode,
    values: ['billing', 'db', 'present', 'commands', 'words'],
    libraries: [
      '@simplewebauthn/server',
      '@simplewebauthn/server/helpers',
      'koa',
      '@koa/router',
      'koa-body',
      '@fastify/busboy',
      'oidc-provider',
      'ipaddr.js',
      'uqr',
      'zod',
    ],
  },
  workers: {
    ...withNode,
    values: ['billing', 'db', 'present', 'commands', 'workflows', 'words'],
    libraries: ['pg', '@temporalio/worker', '@temporalio/activity', '@temporalio/client', '@temporalio/common'],
  },
  client: withoutNode,
  dashboard: {
    ...withoutNode,
    values: ['client', 'words'],
    libraries: [
      '@internationalized/date',
      '@tanstack/react-query',
      '@tanstack/react-router',
      '@tanstack/react-table',
      '@tanstack/react-virtual',
      'react',
      'react-aria/PortalProvider',
      'react-aria-components',
      'react-dom/client',
      'react-hook-form',
      'tinykeys',
    ],
  },
};

/** The folders of a room in order. A file imports only from its own folder and from those before it. */
const orders: Readonly<Record<string, readonly string[]>> = {
  commands: [
    'ports',
    'kernel',
    'accounts',
    'catalog',
    'mail',
    'people',
    'files',
    'aggregates',
    'tasks',
    'bounces',
    'credit',
    'customers',
    'documents',
    'lineItems',
    'payments',
    'invoices',
    'estimates',
    'creditNotes',
    'statements',
    'previews',
    'bills',
    'subscriptions',
    'charges',
    'signUps',
    'collection',
    'texts',
    'chasing',
    'clocks',
    'webhooks',
    'reports',
    'jobs',
    'portal',
  ],
  'db/queries': [
    'kernel',
    'accounts',
    'catalog',
    'files',
    'documents',
    'credit',
    'invoices',
    'signUps',
    'chasing',
    'charges',
    'bills',
    'customers',
    'usage',
    'texts',
    'mail',
    'bounces',
    'processes',
    'clocks',
    'events',
    'webhooks',
    'reports',
    'audit',
    'portal',
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
    'printed',
    'timelines',
    'variables',
    'emails',
    'templates',
    'texts',
    'explanations',
    'reports',
    'versions',
  ],
};

/** The only files outside those folders. They come before or after all of them. */
const filesOutsideFolders: Readonly<Record<string, number>> = {
  'api/listener.ts': Number.POSITIVE_INFINITY,
  'api/server.ts': Number.POSITIVE_INFINITY,
};

/** These rooms may import everything. No other room imports them. */
const unrestricted = new Set(['bin', 'test', 'bench']);

/** The client that starts and signals workflows. It must not be in their bundle. */
const workflowClient = 'workflows/client.ts';

/** The forbidden imports of a file, one line each. `file` is relative to the project. */
export function forbiddenImports(file: string, source: string): string[] {
  const name = roomOf(file);
  if (unrestricted.has(name)) return [];
  const room = rooms[name];
  if (room === undefined) return [`${file} is in no known room`];
  const order = orderOf(file);
  if (order !== null && rankOf(file, order) === null) return [`${file} is in no known folder of ${order}/`];
  return importsOf(source)
    .filter((one) => !isAllowed(file, room, one))
    .map(
      (one) => `${file} may not import ${one.typeOnly ? 'types of ' : ''}${one.specifier ?? 'a computed specifier'}`,
    );
}

function isAllowed(file: string, room: Room, one: Import): boolean {
  const { specifier } = one;
  if (specifier === null) return false;
  if (!specifier.startsWith('.')) return isBuiltin(specifier) ? room.mayUseNode : isAllowedLibrary(file, room, one);
  const target = posix.join(posix.dirname(file), specifier);
  if (target === workflowClient && roomOf(file) === 'workflows') return false;
  if (roomOf(target) === roomOf(file)) return isInOrder(file, target);
  if (room.mayUseNode && target === 'db/failpoint.ts') return true;
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

/** The key of `orders` that contains a file: a room or a part of one. null: its folders have no order. */
function orderOf(file: string): string | null {
  return Object.keys(orders).find((folder) => file.startsWith(`${folder}/`)) ?? null;
}

/** The position of a file's folder in the order of `within`. null: it is in none of the ordered folders. */
function rankOf(file: string, within: string): number | null {
  const place = filesOutsideFolders[file];
  if (place !== undefined) return place;
  const [folder = '', ...rest] = file.slice(within.length + 1).split('/');
  const rank = orders[within]?.indexOf(folder) ?? -1;
  return rank < 0 || rest.length === 0 ? null : rank;
}

/** Import cycles, each as "a.ts > b.ts > a.ts". Type imports count only with `withTypes`. */
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
  if (specifier === 'pino' && typeOnly) return room.mayUseNode;
  return specifier !== null && room.libraries.includes(specifier);
}

function roomOf(file: string): string {
  return file.split('/')[0] ?? file;
}
