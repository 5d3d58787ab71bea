import { subtract } from '../../billing/money/money.ts';
import type { Asked, Cell, Column } from '../../billing/reports/report.ts';
import { type SalesRow, salesDetails, sales as salesRows } from '../../db/queries/reports/sales.ts';
import { TAX_KEYS, type TaxRow, taxDetails, tax as taxRows } from '../../db/queries/reports/tax.ts';
import {
  currency,
  customerColumns,
  day,
  daysIn,
  id,
  money,
  number,
  ofStatement,
  pathOf,
  type ReportDefinition,
  text,
} from './definition.ts';

const period = ({ options }: Asked): Column[] => (options.group === undefined ? [] : [day('period', 'Period')]);

const documentColumns = [id('invoice', 'Invoice'), id('credit_note', 'Credit note'), day('date', 'Date')];

/** Paths of the documents of a row. */
function documentPaths({ invoice, creditNote, customer }: SalesRow | TaxRow): Record<string, string> {
  return {
    ...(customer === null ? {} : { customer: `/customers/${customer}` }),
    ...(invoice === null ? {} : { invoice: `/invoices/${invoice}` }),
    ...(creditNote === null ? {} : { credit_note: `/credit_notes/${creditNote}` }),
  };
}

const SALES_KEYS = ['kind', 'item', 'plan', 'gl_account'] as const;

function salesPaths(asked: Asked, row: SalesRow): Record<string, string> {
  if (asked.options.detail === 'line') return documentPaths(row);
  const { kind, item, plan, glAccount, currency: code, customer } = row;
  const of = { kind, item: item ?? 'none', plan: plan ?? 'none', gl_account: glAccount ?? 'none', currency: code };
  const who = customer === null ? {} : { customer };
  const path = pathOf('sales', asked, {
    ...asked.options,
    ...of,
    ...who,
    ...daysIn(asked, row.period),
    detail: 'line',
  });
  return Object.fromEntries(['gross', 'net', 'credited', 'total'].map((name) => [name, path]));
}

export const sales: ReportDefinition = {
  title: 'Sales',
  definition:
    'Lines of the invoices and credit notes of the days, by item, plan and general ledger account. `gross` is before discounts and with inclusive taxes, `deducted` has both, `net` is the posted revenue; `credited` is that of credit notes, and `total` is `net` less `credited`. `kind`: `sale`; `late_fee`, on the day on which it was added; `early_discount`, a credit note for early payment; `adjustment`, what the ledger has of the days and no line tells, such as an early-payment discount until it is lost. The totals of an account are its revenue in the ledger. Lines of changed invoices are those of now.',
  options: ['detail', 'group', ...SALES_KEYS],
  details: salesDetails,
  isByCustomer: true,
  columns: (asked) => [
    ...period(asked),
    ...(asked.options.detail === undefined ? [] : customerColumns),
    ...(asked.options.detail === 'line' ? [...documentColumns, id('line', 'Line')] : []),
    text('kind', 'Kind'),
    text('item', 'Item'),
    text('plan', 'Plan'),
    text('gl_account', 'General ledger account'),
    currency,
    number('quantity', 'Quantity'),
    money('gross', 'Gross'),
    money('deducted', 'Discounts and inclusive taxes'),
    money('net', 'Net'),
    money('credited', 'Credited'),
    money('total', 'Total'),
  ],
  ...ofStatement(salesRows, (row, asked) => {
    const { glAccount, creditNote, ...cells } = row;
    const deducted = subtract(row.gross, row.net);
    return {
      cells: { ...cells, deducted, gl_account: glAccount, credit_note: creditNote },
      hrefs: salesPaths(asked, row),
    };
  }),
};

function taxPaths(asked: Asked, row: TaxRow): Record<string, string> {
  if (asked.options.detail === 'document') return documentPaths(row);
  const { kind, treatment, taxRate, name, percent, behavior, country, state, currency: code, customer } = row;
  const rate = { tax_rate: taxRate ?? 'none', name: name ?? 'none', percent: percent ?? 'none' };
  const place = { tax_behavior: behavior ?? 'none', country: country ?? 'none', state: state ?? 'none' };
  const of = { kind, treatment, ...rate, ...place, currency: code };
  const who: Record<string, Cell> = customer === null ? {} : { customer };
  const path = pathOf('tax', asked, {
    ...asked.options,
    ...of,
    ...who,
    ...daysIn(asked, row.period),
    detail: 'document',
  });
  return { base: path, tax: path };
}

export const tax: ReportDefinition = {
  title: 'Tax',
  definition:
    'Tax of the invoices and credit notes of the days, by rate and the place that is taxed: that of the shipping address, or of the customer when the document was issued. `base` is the net of all lines that the rate taxes, so lines with two rates are in two bases. Credit notes are negative. `treatment`: `taxed`; `reverse_charge`, the buyer owes the tax; `untaxed`, lines without a rate, late fees left out. `kind`: `invoice`, `credit_note`; `write_off`, tax that a write-off takes back; `adjustment`, what the ledger has of the days and no document tells. The tax of a rate is its tax payable in the ledger. Documents that were changed are those of now.',
  options: ['detail', 'group', ...TAX_KEYS],
  details: taxDetails,
  isByCustomer: true,
  unsummed: () => ['base'],
  columns: (asked) => [
    ...period(asked),
    ...(asked.options.detail === undefined
      ? []
      : [id('customer', 'Customer'), text('customer_name', 'Name of the customer')]),
    ...(asked.options.detail === 'document' ? documentColumns : []),
    text('kind', 'Kind'),
    text('treatment', 'Treatment'),
    text('tax_rate', 'Tax rate'),
    text('name', 'Name'),
    number('percent', 'Percent'),
    text('tax_behavior', 'Inclusive or exclusive'),
    text('country', 'Country'),
    text('state', 'State'),
    currency,
    money('base', 'Base'),
    money('tax', 'Tax'),
  ],
  ...ofStatement(taxRows, (row, asked) => {
    const { taxRate, behavior, customerName, creditNote, ...cells } = row;
    const named = { tax_rate: taxRate, tax_behavior: behavior, customer_name: customerName, credit_note: creditNote };
    return { cells: { ...cells, ...named }, hrefs: taxPaths(asked, row) };
  }),
};
