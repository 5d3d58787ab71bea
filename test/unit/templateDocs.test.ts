import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { customTemplates } from '../../billing/mail/emailTemplates.ts';
import { helpers } from '../../present/templates/functions.ts';
import { variablesOf } from '../../present/variables/declared.ts';
import { namesIn } from '../../present/variables/kinds.ts';
import { projectFolder } from '../suites.ts';

const page = readFileSync(join(projectFolder, 'docs', 'templates.md'), 'utf8');

/** The rows of the table of variables: name, meaning, templates that have it. */
const rows = [...page.matchAll(/^\| `([a-z_.[\]]+)` \| ([^|]+) \| ([^|]+) \|$/gm)].map(([, name, meaning, of]) => [
  name,
  meaning,
  of,
]);

test('the page of templates names each variable with its meaning and the templates that have it, and each helper', () => {
  const found = new Map<string, Set<string>>();
  for (const template of customTemplates)
    for (const { name, description } of namesIn(variablesOf(template))) {
      const key = `${name}|${description}`;
      found.set(key, (found.get(key) ?? new Set()).add(template));
    }
  const declared = [...found].map(([key, templates]) => {
    const all = templates.size === customTemplates.length;
    return [...key.split('|'), all ? 'all' : [...templates].map((one) => one.replace(/_email$/, '')).join(', ')];
  });
  expect(rows).toEqual(declared);
  for (const helper of Object.keys(helpers)) expect(page).toMatch(new RegExp(`\\{\\{#?${helper} |\\(${helper} `));
});
