import { posix } from 'node:path';
import { importsOf } from './imports.ts';

/**
 * What parses text or pictures of strangers at a cost that the sender chooses: libraries, and files of ours. Only child programs load them.
 * Bodies as JSON, form and multipart are parsed elsewhere; their size, depth and number of values are bounded. A new library for foreign
 * text is added here and to the libraries of its room.
 */
export const foreignParsers: readonly string[] = [
  '@myriaddreamin/typst-ts-node-compiler',
  'handlebars',
  'postal-mime',
  'sanitize-html',
  'saxes',
  'billing/payments/csv.ts',
  'billing/payments/mt940.ts',
];

/** The programs of the product that answer others: everything that they load runs on their threads. */
const SERVING = [
  'bin/perennial.ts',
  'bin/roles/api.ts',
  'bin/roles/worker.ts',
  'api/server.ts',
  'bin/supervise/prepare.ts',
];

/** Files that run in child programs: those programs import it. */
const CHILD = 'adapters/children/serve.ts';

type Sources = ReadonlyMap<string, string>;

/** Parsers of foreign text that a serving program loads, or that no child program loads, one line each. */
export function misplacedParsers(sources: Sources): string[] {
  const serving = reachedFrom(SERVING, sources);
  const programs = [...sources.keys()].filter((file) => !isTest(file) && loaded(file, sources).includes(CHILD));
  const inChildren = reachedFrom(programs, sources);
  return [...sources.keys()]
    .filter((file) => !isTest(file) && file !== CHILD)
    .flatMap((file) => {
      const parsers = loaded(file, sources).filter((target) => foreignParsers.includes(target));
      if (serving.has(file))
        return parsers.map((parser) => `${file} brings ${parser} into a program that answers others`);
      return inChildren.has(file) ? [] : parsers.map((parser) => `${file} loads ${parser} outside a child program`);
    });
}

const isTest = (file: string) => /^(test|bench)\//.test(file);

function reachedFrom(roots: readonly string[], sources: Sources): Set<string> {
  const reached = new Set(roots.filter((file) => sources.has(file)));
  for (const file of reached) for (const target of loaded(file, sources)) if (sources.has(target)) reached.add(target);
  return reached;
}

/** What a file loads at run time, at once or later: paths in the project, and names of libraries. */
function loaded(file: string, sources: Sources): string[] {
  return importsOf(sources.get(file) ?? '').flatMap(({ specifier, typeOnly }) => {
    if (specifier === null || typeOnly) return [];
    return [specifier.startsWith('.') ? posix.join(posix.dirname(file), specifier) : specifier];
  });
}
