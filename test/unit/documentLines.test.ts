import { expect, test } from '@jest/globals';
import { installmentsOf } from '../../dashboard/documents/installments.ts';
import { lineAt, linesOf, moved, newLine, pastedLines, sentLines } from '../../dashboard/documents/lines.ts';
import { formatsOf } from '../../dashboard/written.ts';

/** Lines of the editor of documents: pasted from spreadsheets, moved, and sent with the typed digits. */

const english = formatsOf({ language: 'en', zone: 'UTC' });
const german = formatsOf({ language: 'de', zone: 'UTC' });

const cells = (text: string, formats = english) =>
  (pastedLines(text, formats) ?? []).map(({ name, description, quantity, unitCost }) => [
    name,
    description,
    quantity,
    unitCost,
  ]);
const sent = (text: string, formats = english) => sentLines({ lines: pastedLines(text, formats) ?? [] }, formats);

test('rows of a spreadsheet become lines, by the number of their columns', () => {
  expect(cells('Hosting\nSupport\n')).toEqual([
    ['Hosting', '', '', ''],
    ['Support', '', '', ''],
  ]);
  expect(cells('Hosting\t12.50')).toEqual([['Hosting', '', '', '12.50']]);
  expect(cells('Hosting\t3\t12.50\r\nSupport\t1\t80')).toEqual([
    ['Hosting', '', '3', '12.50'],
    ['Support', '', '1', '80'],
  ]);
  expect(cells('"Hosting\nof the shop"\t"He said ""yes"""\t3\t12.50')).toEqual([
    ['Hosting\nof the shop', 'He said "yes"', '3', '12.50'],
  ]);
});

test('a head is left out, and rows without numbers stay', () => {
  expect(cells('Item\tQuantity\tPrice\nHosting\t3\t12')).toEqual([['Hosting', '', '3', '12']]);
  expect(cells('Hosting\tthree\ttwelve')).toEqual([['Hosting', '', 'three', 'twelve']]);
});

test('an amount that is the product of two columns is left out, a description stays, and what could be others is not read', () => {
  const rows = 'Name\tQty\tPrice\tAmount\nHour\t2\t50\t100\nTravel\t1\t12\t12';
  expect(cells(rows)).toEqual([
    ['Hour', '', '2', '50'],
    ['Travel', '', '1', '12'],
  ]);
  expect(cells('Hour\tby Bo\t2\t50')).toEqual([['Hour', 'by Bo', '2', '50']]);
  expect(pastedLines('A-1\tHour\tby Bo\t2\t50', english)).toBeNull();
  expect(pastedLines('Hour\t2\t50\t7\nTravel\t1\t12\t9', english)).toBeNull();
  expect(pastedLines('Hour\t2\n'.repeat(30_000), english)).toBeNull();
});

test('a copied line keeps what the editor does not show, and a line of a document does not send it again', () => {
  const line = { name: 'Late fee', quantity: 1, unit_cost: 9, type: 'late_fee', taxable: false, period_start: 5 };
  expect(sentLines(linesOf({ items: [line] }, english), english)).toEqual([line]);
  expect(sentLines(linesOf({ items: [{ ...line, id: 7 }] }, english), english)[0]).not.toHaveProperty('taxable');
  const [one, other] = [newLine(), newLine()];
  expect(one.key).not.toBe(other.key);
});

test('decimal commas are read by the language, and what could be two numbers stays as it was written', () => {
  expect(sent('Hosting\t2\t1.200,50 €', german)).toEqual([{ name: 'Hosting', quantity: 2, unit_cost: 1200.5 }]);
  expect(sent('Hosting\t2\tUSD 1,200.50')).toEqual([{ name: 'Hosting', quantity: 2, unit_cost: 1200.5 }]);
  expect(sent('Hosting\t2\t1.200')).toEqual([{ name: 'Hosting', quantity: 2, unit_cost: '1.200' }]);
  expect(sent('Hosting\ttwo\t12')).toEqual([{ name: 'Hosting', quantity: 'two', unit_cost: 12 }]);
});

test('digits that a number of JSON cannot hold are sent as text', () => {
  const line = { ...newLine(), name: 'Call', unitCost: '0.000000000001', quantity: '12345678901234567.5' };
  expect(sentLines({ lines: [line] }, english)).toEqual([
    { name: 'Call', quantity: '12345678901234567.5', unit_cost: '0.000000000001' },
  ]);
});

test('blank lines are not sent, and lines of a document keep their ids, discounts and taxes', () => {
  const row = {
    items: [
      {
        id: 7,
        name: 'Hosting',
        catalog_item: { id: 'host', name: 'Hosting' },
        quantity: 2,
        unit_cost: 12.5,
        description: null,
        discounts: [{ id: 3, coupon: { id: 'ten', name: 'Ten' }, amount: 2.5 }],
        taxes: [{ id: 4, tax_rate: null, amount: 1 }],
      },
    ],
  };
  const value = linesOf(row, german);
  expect(value.lines[0]).toMatchObject({ item: 'host', unitCost: '12,5' });
  expect(sentLines({ lines: [...value.lines, newLine()] }, german)).toEqual([
    {
      id: 7,
      catalog_item: 'host',
      name: 'Hosting',
      description: null,
      quantity: 2,
      unit_cost: 12.5,
      discounts: [{ id: 3 }],
      taxes: [{ id: 4, amount: 1 }],
    },
  ]);
});

test('a line moves as far as there are places', () => {
  const [one, two, three] = [newLine(), newLine(), newLine()];
  const keys = (place: number, by: number) => moved([one, two, three], place, by).map(({ key }) => key);
  expect(keys(0, 1)).toEqual([two.key, one.key, three.key]);
  expect(keys(2, -5)).toEqual([three.key, one.key, two.key]);
  expect(keys(2, 1)).toEqual([one.key, two.key, three.key]);
});

test('an error of the API names a line and its field', () => {
  expect(lineAt('items[3][unit_cost]')).toEqual({ place: 3, field: 'unit_cost' });
  expect(lineAt('items[0]')).toEqual({ place: 0, field: 'name' });
  expect([lineAt('customer'), lineAt(null)]).toEqual([null, null]);
});

test('installments are equal, the last one has what cannot be divided, and a month ends on its last day', () => {
  // 100.00 in three: 33.33 + 33.33 + 33.34
  expect(installmentsOf(10_000, { count: 3, first: '2027-01-31', every: 'month' })).toEqual([
    { day: '2027-01-31', units: 3333 },
    { day: '2027-02-28', units: 3333 },
    { day: '2027-03-31', units: 3334 },
  ]);
  expect(installmentsOf(500, { count: 2, first: '2027-12-28', every: 'week' })).toEqual([
    { day: '2027-12-28', units: 250 },
    { day: '2028-01-04', units: 250 },
  ]);
});
