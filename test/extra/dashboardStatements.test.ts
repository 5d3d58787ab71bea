import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { accessibilityFaults } from '../support/accessibility.ts';
import { europeanFiles } from '../support/bankCsvEurope.ts';
import { csvFiles } from '../support/bankCsvFiles.ts';
import { worldFiles } from '../support/bankCsvWorld.ts';
import { encoded } from '../support/bankFile.ts';
import { messages } from '../support/bankMessages.ts';
import type { Site } from '../support/browser.ts';
import { startDashboard, type Visitor, visitDashboard } from '../support/dashboard.ts';
import { button } from '../support/dashboardActs.ts';
import { looksIn } from '../support/pageLooks.ts';

/** Bank statements in the dashboard: read, shown, imported, undone. */

const look = looksIn('dashboard');

let site: Site;
let visitor: Visitor;
let ann: number;

beforeAll(async () => {
  site = await startDashboard();
  ann = (await site.api.sandbox.make('/customers', { name: 'Ann Archer', email: 'ann@example.com' })).id;
  visitor = await visitDashboard(site, 'ann@acme.example');
});
afterAll(() => site?.close());

const invoiceOf = (customer: number, amount: number) =>
  site.api.sandbox.make('/invoices', { customer, items: [{ name: 'Support', unit_cost: amount }] });
const read = async (path: string) => (await site.api.sandbox.get(path)).body;

const statement = (amounts: readonly string[]) =>
  [
    'Konto;DE02120300000000202051',
    'Buchungstag;Auftraggeber;Verwendungszweck;Betrag;Saldo',
    ...amounts.map(
      (amount, place) =>
        `${String(place + 1).padStart(2, '0')}.11.2026;Zahler ${place + 1};Rechnung ${place};${amount};1.000,00`,
    ),
  ].join('\r\n');

test('a bank statement is shown before it is imported; a second upload has nothing new; the import is undone', async () => {
  const { page, open } = visitor;
  const before = (await read('/payments?per_page=100')).length;
  await open('payments');
  await page.getByRole('link', { name: 'Import a bank statement' }).click();
  await page.getByLabel('File of the bank').waitFor();
  await look(page, 'bank-statement');
  const bytes = Buffer.from(statement(['1.190,00', '-89,50', '250,25', 'viel']), 'latin1');
  const file = { name: 'umsaetze.csv', mimeType: 'text/csv', buffer: bytes };
  await page.getByLabel('File of the bank').setInputFiles(file);
  await page.getByText('2 new payments').waitFor();
  await page.getByText('1 that cannot be read').waitFor();
  await page.getByText('1 left out').waitFor();
  expect(await page.getByLabel('Name of the payer').inputValue()).toBe('Auftraggeber');
  await look(page, 'bank-statement-read');
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(await read('/payments?per_page=100')).toHaveLength(before); // nothing is stored yet

  // The person knows better which column is the reference.
  await page.getByLabel('Reference', { exact: true }).selectOption('Auftraggeber');
  await page.getByRole('cell', { name: 'Zahler 3' }).last().waitFor();
  await page.getByLabel('Reference', { exact: true }).selectOption('Verwendungszweck');
  await page.getByLabel('Amount', { exact: true }).selectOption('Verwendungszweck');
  await page.getByText('4 that cannot be read').waitFor();
  await page.getByLabel('Lines before the header').fill('0');
  await page.getByLabel('Lines before the header').blur();
  await page.getByLabel('Lines before the header').fill('1');
  await page.getByLabel('Lines before the header').blur();
  await page.getByText('2 new payments').waitFor();
  await button(page, 'Import 2 payments').dblclick();
  await page.getByText('2 payments are imported.').waitFor();
  await look(page, 'bank-statement-imported');
  const made = await read('/payments?sort=id desc&per_page=2');
  expect(made).toMatchObject([
    { amount: 250.25, reference: 'Rechnung 2', notes: 'Zahler 3', source: 'bank_feed' },
    { amount: 1190, reference: 'Rechnung 0' },
  ]);
  expect(await read('/payments?per_page=100')).toHaveLength(before + 2);

  await button(page, 'Import another statement').click();
  await page.getByLabel('File of the bank').setInputFiles(file);
  await page.getByText('2 imported before').waitFor();
  await page.getByText('There is nothing new in this statement.').waitFor();
  await look(page, 'bank-statement-again');
});

test('an import is undone as far as nobody has used its payments, and the statement can be imported again', async () => {
  const { page, open } = visitor;
  const { sandbox } = site.api;
  const { number } = await invoiceOf(ann, 77.7);
  const text = statement(['77,70', '88,80']).replace('Rechnung 0', number);
  const file = { name: 'konto.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
  await open('payments/import');
  await page.getByLabel('File of the bank').setInputFiles(file);
  await button(page, 'Import 2 payments').click();
  await page.getByText('2 payments are imported.').waitFor();
  const [unused, used] = await read('/payments?sort=id desc&per_page=2');
  await sandbox.patch(`/payments/${used.id}`, { customer: ann });
  await button(page, 'Undo the import').click();
  await page.getByText('1 payment is taken back.').waitFor();
  await page.getByText('1 stays:').waitFor();
  await look(page, 'bank-statement-undone');
  expect((await read(`/payments/${unused.id}`)).voided).toBe(true);
  expect((await read(`/payments/${used.id}`)).voided).toBe(false);
  await button(page, 'Import another statement').click();
  await page.getByLabel('File of the bank').setInputFiles(file);
  await button(page, 'Import 1 payment').click();
  await page.getByText('1 payment is imported.').waitFor();
});

/** Files as banks export them, without those that have the payments of another one. */
const files = [...europeanFiles, ...worldFiles, ...csvFiles.slice(5), ...messages.slice(0, 4)]
  .filter(({ receipts }, place, all) => {
    const isFirst = all.findIndex((one) => one.receipts.join() === receipts.join()) === place;
    return receipts.length > 0 && isFirst;
  })
  .filter((_, place) => place % 2 === 0)
  .slice(0, 24);

test('files of more than twenty banks go in as they are', async () => {
  const { page, open } = visitor;
  expect(files.length).toBeGreaterThanOrEqual(20);
  await open('payments/import');
  for (const { name, text, bytes = 'utf8', receipts } of files) {
    const before = (await read('/payments?sort=id desc&per_page=1'))[0]?.id ?? 0;
    const file = { name: `${name}.txt`, mimeType: 'text/plain', buffer: encoded[bytes](text) };
    await page.getByLabel('File of the bank').setInputFiles(file);
    const fresh = receipts.length === 1 ? '1 payment' : `${receipts.length} payments`;
    await button(page, `Import ${fresh}`).click();
    await page.getByText(receipts.length === 1 ? '1 payment is imported.' : `${fresh} are imported.`).waitFor();
    const made = (await read('/payments?sort=id desc&per_page=20')).filter(({ id }: { id: number }) => id > before);
    const told = made.map((one: { amount: number; currency: string }) => `${one.amount} ${one.currency}`);
    const wanted = receipts.map((receipt) => receipt.split(' ').slice(1, 3).join(' '));
    expect([name, told.toSorted()]).toEqual([name, wanted.toSorted()]);
    await button(page, 'Import another statement').click();
  }
});
