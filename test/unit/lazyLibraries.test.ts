import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { projectFolder } from '../suites.ts';
import { importsOf } from '../support/imports.ts';

/** Libraries of 7 to 47 MiB that only some accounts need, and those that send traces. */
const LATER = [
  '@cj-tech-master/excelts',
  'stripe',
  'date-holidays',
  'libphonenumber-js',
  'handlebars',
  'sanitize-html',
  'oidc-provider',
  'postal-mime',
  '@opentelemetry',
  '@temporalio/interceptors-opentelemetry',
];

/** The modules that a file loads when it is loaded. */
function loadedWith(file: string): string[] {
  const imports = importsOf(readFileSync(join(projectFolder, file), 'utf8'));
  return imports.flatMap(({ specifier, typeOnly, isLater }) => (typeOnly || isLater ? [] : (specifier ?? [])));
}

/** All libraries that a program loads at its start. */
function librariesOf(program: string): Set<string> {
  const libraries = new Set<string>();
  const seen = new Set<string>([program]);
  for (const file of seen)
    for (const name of loadedWith(file))
      if (name.startsWith('.')) seen.add(join(dirname(file), name));
      else libraries.add(name);
  return libraries;
}

test.each(['bin/roles/api.ts', 'bin/roles/worker.ts'])(
  '%s loads a library that few need only when it is used',
  (program) => {
    const libraries = [...librariesOf(program)];
    expect(libraries).toContain('@mikro-orm/postgresql');
    expect(libraries.filter((name) => LATER.some((later) => name === later || name.startsWith(`${later}/`)))).toEqual(
      [],
    );
  },
);
