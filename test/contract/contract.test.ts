import { expect, test } from '@jest/globals';
import { routes } from '../../api/resources/routes.ts';
import { eventTypes } from '../../billing/eventTypes.ts';
import { apiFields } from '../support/apiFields.ts';
import { contractText, faultsOf, missingRows, parseRows, type Row, summaryOf } from './rows.ts';
import { namedTests, testTitles } from './testNames.ts';

const rows = parseRows(contractText());

test('each promise names a test that there is, or is open', () => {
  expect(rows.length).toBeGreaterThan(500);
  expect(faultsOf(rows, namedTests())).toEqual([]);
  process.stdout.write(`  ${summaryOf(rows)}\n`);
});

test('every endpoint, type of event and field that the product has is among the promises', () => {
  const endpoints = routes.flatMap(({ method, path }) => [method].flat().map((one) => `${one} ${path}`));
  expect(missingRows(rows, 'endpoint', endpoints)).toEqual([]);
  expect(missingRows(rows, 'event', eventTypes)).toEqual([]);
  const ids = new Set(rows.map(({ id }) => id));
  const fields = Object.entries(apiFields).flatMap(([kind, names]) => names.map((name) => `${kind}.field.${name}`));
  expect(fields.filter((id) => !ids.has(id))).toEqual([]);
});

test('a row is a line, so that changes to many can be merged', () => {
  const lines = contractText().trim().split('\n').slice(1, -1);
  expect(lines.map((line) => JSON.parse(line.replace(/,$/, '')))).toEqual(rows);
});

const good: Row = { id: 'invoice.rule.x', source: 'api.md: Invoice', says: 'x', test: 'test/a.test.ts > b' };
const tests = new Set([good.test]);

test.each([
  ['nothing', [good, { ...good, id: 'invoice.rule.y', test: 'open' }], []],
  ['neither a test nor open', [{ ...good, test: '' }], ['invoice.rule.x: has no test']],
  ['a test that is gone', [{ ...good, test: 'test/a.test.ts > c' }], [expect.stringContaining('no test "test/a')]],
  ['a row twice', [good, { ...good, says: 'y' }], ['invoice.rule.x: is there twice']],
  ['an unknown kind', [{ ...good, id: 'invoice.x' }], [expect.stringContaining('of no kind')]],
  ['a column too many', [{ ...good, note: 'x' }], [expect.stringContaining('other columns')]],
])('%s is seen', (_what, contract, faults) => {
  expect(faultsOf(contract, tests)).toEqual(faults);
});

test('an endpoint without a row is seen, whatever its parameters are called', () => {
  const contract = [{ ...good, id: 'card.endpoint.DELETE /customers/:customer_id/cards/:id' }];
  const asked = ['DELETE /customers/:id/cards/:source', 'PATCH /customers/:id/cards/:source'];
  expect(missingRows(contract, 'endpoint', asked)).toEqual(['PATCH /customers/:id/cards/:source']);
  expect(missingRows(contract, 'event', ['card.deleted'])).toEqual(['card.deleted']);
});

test('titles are those of the tests that run, in their groups, as they are written', () => {
  const source = `
    test('plain', () => {});
    test.each([['a', 1]])('%s is %i', async () => { test('inside', () => {}); });
    test.each<{ a: string }>(rows)(\`a \\"quoted\\" $a\`, () => {});
    describe('group', () => { test("it's", () => {}); describe('within', () => test('deep', () => {})); });
    test.skip('skipped', () => {});
    test.todo('later');
    other('test', () => 'test("no")');
  `;
  const titles = ['plain', '%s is %i', 'a "quoted" $a', "group > it's", 'group > within > deep'];
  expect(testTitles(source)).toEqual(titles);
});

test('open promises are counted by subject', () => {
  const contract = ['plan.rule.a', 'invoice.rule.b', 'invoice.rule.c'].map((id) => ({ ...good, id, test: 'open' }));
  expect(summaryOf([good, ...contract])).toBe('contract: 1 of 4 rows proven, 3 open: invoice 2, plan 1');
});
