import { type Asked, type Cell, type Column, type ReportRow, slicesOf } from '../../billing/reports/report.ts';
import type { EntityManager } from '../../db/orm.ts';
import {
  currency,
  customerColumns,
  day,
  daysIn,
  id,
  invoiceColumns,
  money,
  pathOf,
  type ReportDefinition,
  text,
} from './definition.ts';
import { MOST_LINES, recognizedRevenue } from './recognized.ts';

const KEYS = ['gl_account', 'item', 'plan'] as const;

/** Whether the cells have the values of options. `none`: it has no value. */
const isChosen = ({ options }: Asked, cells: Record<string, Cell>): boolean =>
  KEYS.every((name) => {
    const value = options[name];
    return value === undefined || cells[name] === value || (value === 'none' && cells[name] === null);
  });

function columnsOf({ options: { detail, group } }: Asked): Column[] {
  const isByLine = detail === 'line';
  return [
    ...(group === undefined ? [] : [day('period', 'Period')]),
    ...(detail === 'customer' ? customerColumns : []),
    ...(isByLine ? [...invoiceColumns, id('line', 'Line')] : []),
    ...(isByLine || detail === 'item' ? [text('item', 'Item'), text('plan', 'Plan')] : []),
    ...(isByLine ? [day('service_start', 'First day of service'), day('service_end', 'Last day of service')] : []),
    text('gl_account', 'General ledger account'),
    currency,
    money('opening', 'Deferred before'),
    money('billed', 'Billed'),
    money('credited', 'Credited'),
    money('recognized', 'Recognized'),
    money('closing', 'Deferred after'),
  ];
}

/** Paths of the rows whose sum a row is; of a line, that of its invoice. */
function hrefsOf(asked: Asked, cells: Record<string, Cell>): Record<string, string> {
  const { detail } = asked.options;
  if (detail === 'line') {
    const { customer, invoice } = cells;
    const ofInvoice: Record<string, string> = invoice === null ? {} : { invoice: `/invoices/${invoice}` };
    return { customer: `/customers/${customer}`, ...ofInvoice };
  }
  const named = [...KEYS.filter((name) => name in cells), 'currency', ...(detail === 'customer' ? ['customer'] : [])];
  const chosen = Object.fromEntries(named.map((name) => [name, cells[name] ?? 'none']));
  const path = pathOf('deferred_revenue', asked, {
    ...asked.options,
    ...chosen,
    ...daysIn(asked, cells.period),
    detail: 'line',
  });
  return Object.fromEntries(['opening', 'billed', 'credited', 'recognized', 'closing'].map((name) => [name, path]));
}

export const deferredRevenue: ReportDefinition = {
  title: 'Deferred revenue',
  definition:
    'Posted revenue by when it is earned: `closing` is `opening` plus `billed` less `credited` and `recognized`. A line is recognized evenly by local day over its service period, not before its invoice counts, and at once without a period. A credit note, or a negative line that credits a line, takes what is not recognized yet, and then reverses; what is left is recognized evenly over the days left. Credits stand with the account of the line that they credit. `billed` less `credited` of an account is its revenue in the ledger: what no line tells is recognized at once. Lines of changed invoices are those of now.',
  options: ['detail', 'group', ...KEYS],
  details: ['item', 'customer', 'line'],
  isByCustomer: true,
  unsummed: ({ options }) => (options.group === undefined ? [] : ['opening', 'closing']),
  columns: columnsOf,
  rows: (em, asked) => rowsOf(em, asked, MOST_LINES),
  async *slices(em, asked) {
    yield* slicesOf(await rowsOf(em, asked, Number.POSITIVE_INFINITY));
  },
};

async function rowsOf(em: EntityManager, asked: Asked, most: number): Promise<ReportRow[]> {
  const found = (await recognizedRevenue(em, asked, most)).filter((cells) => isChosen(asked, cells));
  const keyed = found.map((cells) => ({ key: sortKey(cells), cells }));
  return keyed
    .toSorted((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ cells }) => ({ cells, hrefs: hrefsOf(asked, cells) }));
}

/** Orders rows by their cells in turn: texts by their letters, numbers by their size. */
const sortKey = (cells: Record<string, Cell>): string =>
  Object.values(cells)
    .map((cell) => (typeof cell === 'number' ? String(cell).padStart(16, '0') : (cell ?? '')))
    .join('\u0000');
