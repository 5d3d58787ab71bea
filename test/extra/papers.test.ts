import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { projectFolder } from '../suites.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { fromRun } from '../support/environment.ts';
import { paperSales } from '../support/paperSales.ts';
import { PaperShop } from '../support/papers.ts';

/** Documents of the API are read by the validators that their readers use. */

const run = promisify(execFile);
const folder = join(projectFolder, '.data', 'papers');
const names = Object.keys(paperSales);
/** Findings of the validators by file. */
const findings = new Map<string, string[]>();
let api: TestApi;

/** XML with a mistake. */
const WRONG: Readonly<Record<string, (xml: string) => string>> = {
  'wrong-total.xml': (xml) => xml.replace('>119.00</ram:GrandTotalAmount>', '>119.01</ram:GrandTotalAmount>'),
  'wrong-digits.xml': (xml) => xml.replace('>119.00</ram:DuePayableAmount>', '>119.0000</ram:DuePayableAmount>'),
};

beforeAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  api = await startApi();
  const shop = await PaperShop.open(api);
  for (const [name, sell] of Object.entries(paperSales)) {
    const paper = await sell(shop).catch(({ message }: Error) => noteOf(`${name}.xml`, message));
    for (const type of ['xml', 'pdf'] as const) {
      const file = `${name}.${type}`;
      const bytes = paper && (await shop.read(paper, type).catch(({ message }: Error) => noteOf(file, message)));
      if (bytes) writeFileSync(join(folder, file), bytes);
    }
  }
  const right = readFileSync(join(folder, 'one-line.xml'), 'utf8');
  for (const [file, change] of Object.entries(WRONG)) writeFileSync(join(folder, file), change(right));
  const { id } = await shop.client().make('/customers', { name: 'Ra \u{13080}', country: 'DE', tax_id: 'DE123456788' });
  const sold = await shop
    .client()
    .make('/invoices', { customer: id, items: [{ name: 'x', unit_cost: 1 }], taxes: ['19'] });
  const plain = await shop.read({ path: `/invoices/${sold.id}`, seller: 'company' }, 'pdf');
  writeFileSync(join(folder, 'wrong-plain.pdf'), plain);
  const known = ['java', ['-cp', fromRun('VALIDATORS'), join(import.meta.dirname, 'Papers.java'), folder]] as const;
  const { stdout } = await run(...known, { maxBuffer: 2 ** 26 });
  for (const line of stdout.trim().split('\n')) {
    const [file = '', validator, message] = line.split('\t');
    if (validator) noteOf(file, `${validator}: ${message}`);
  }
});
afterAll(() => api.close());

function noteOf(file: string, finding: string): null {
  findings.set(file, [...(findings.get(file) ?? []), finding]);
  return null;
}

test.each(names)('validators find nothing in the e-invoice of %s', (name) => {
  expect(findings.get(`${name}.xml`) ?? []).toEqual([]);
  expect(findings.get(`${name}.pdf`) ?? []).toEqual([]);
});

test.each([
  ['wrong-total.xml', /EN 16931: \[BR-CO-15\]/],
  ['wrong-digits.xml', /EN 16931: \[BR-DEC-18\]/],
  // A letter that no font has: it is no PDF/A.
  ['wrong-plain.pdf', /Mustang: /],
])('validators find the mistake of %s', (file, finding) => {
  expect((findings.get(file) ?? []).join('\n')).toMatch(finding);
});
