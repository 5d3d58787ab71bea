import type { Asked } from '../../billing/reports/report.ts';
import * as books from '../../db/queries/reports/books.ts';
import {
  BEFORE_ALL,
  currency,
  day,
  daysBefore,
  flag,
  id,
  money,
  ofStatement,
  pathOf,
  type ReportDefinition,
  text,
} from './definition.ts';

const GL_MEANING =
  '`gl_account` is by the items, tax rates, payment methods and `gl_mapping` of today; null: nothing maps it.';
const CLOSED_MEANING =
  'What is posted for a closed month counts on the first open day; with `books=open`, as if no month were closed.';

const isClosed = ({ options }: Asked): boolean => options.books !== 'open';
const isByGl = ({ options }: Asked): boolean => options.by === 'gl_account';

const glColumns = [text('gl_account', 'General ledger account'), text('gl_name', 'Name')];

export const trialBalance: ReportDefinition = {
  title: 'Trial balance',
  definition:
    'Each ledger account: its balance before the first day, debits and credits of the days, and its balance at the end of the last day. Debits are positive, credits negative. The closing balances of a currency add up to zero. ' +
    `${GL_MEANING} ${CLOSED_MEANING}`,
  options: ['by', 'books'],
  isByCustomer: false,
  columns: (asked) => [
    ...(isByGl(asked) ? [] : [text('ledger_account', 'Ledger account')]),
    ...glColumns,
    currency,
    money('opening', 'Opening'),
    money('debits', 'Debits'),
    money('credits', 'Credits'),
    money('closing', 'Closing'),
  ],
  rows: async (em, asked) => {
    const found = await books.trialBalance(em, asked, { isClosed: isClosed(asked), byGl: isByGl(asked) });
    return found.map(({ ledgerAccount, glAccount, glName, currency: code, ...sums }) => {
      const { books: basis } = asked.options;
      const of = {
        currency: code,
        ...(ledgerAccount === null ? {} : { ledger_account: ledgerAccount }),
        gl_account: glAccount ?? 'none',
        ...(basis === undefined ? {} : { books: basis }),
      };
      const pathTo = (more: Record<string, string>) => pathOf('journal', asked, { ...of, ...more });
      const before = daysBefore(asked.days.firstDay);
      return {
        cells: { ledger_account: ledgerAccount, gl_account: glAccount, gl_name: glName, currency: code, ...sums },
        hrefs: {
          ...(before === null ? {} : { opening: pathTo(before) }),
          debits: pathTo({ side: 'debit' }),
          credits: pathTo({ side: 'credit' }),
          closing: pathTo({ start: BEFORE_ALL }),
        },
      };
    });
  },
};

/** Paths of the documents of an entry. */
function documentPaths(
  of: Pick<books.JournalRow, 'customer' | 'invoice' | 'payment' | 'creditNote'>,
): Record<string, string> {
  const { customer, invoice, payment, creditNote } = of;
  return {
    ...(customer === null ? {} : { customer: `/customers/${customer}` }),
    ...(invoice === null ? {} : { invoice: `/invoices/${invoice}` }),
    ...(payment === null ? {} : { payment: `/payments/${payment}` }),
    ...(creditNote === null ? {} : { credit_note: `/credit_notes/${creditNote}` }),
  };
}

export const journal: ReportDefinition = {
  title: 'Journal',
  definition:
    'Ledger entries of the days in the order of posting. The entries of one posting add up to zero, those of all customers together. An entry of credit is of the customer who has the credit, one of unapplied money of the customer of the payment, any other of the customer of its invoice or payment. `late`: its own day was in a month that was closed when it was posted. ' +
    `${GL_MEANING} ${CLOSED_MEANING}`,
  options: ['ledger_account', 'gl_account', 'movement', 'side', 'books'],
  isByCustomer: true,
  columns: () => [
    id('id', 'Entry'),
    text('posting', 'Posting'),
    day('date', 'Date'),
    text('ledger_account', 'Ledger account'),
    ...glColumns,
    currency,
    money('amount', 'Amount'),
    text('reason', 'Reason'),
    id('customer', 'Customer'),
    id('invoice', 'Invoice'),
    id('payment', 'Payment'),
    id('credit_note', 'Credit note'),
    day('document_date', 'Date of the document'),
    day('posted_at', 'Posted'),
    flag('late', 'Late'),
  ],
  ...ofStatement(
    (asked, em) => {
      const { ledger_account: ledgerAccount = null, gl_account: glAccount = null } = asked.options;
      const { movement = null, side = null } = asked.options;
      return books.journal(em, asked, { isClosed: isClosed(asked), ledgerAccount, glAccount, movement, side });
    },
    ({ ledgerAccount, glAccount, glName, creditNote, documentDate, postedDate, isLate, ...cells }) => ({
      cells: {
        ...cells,
        ledger_account: ledgerAccount,
        gl_account: glAccount,
        gl_name: glName,
        credit_note: creditNote,
        document_date: documentDate,
        posted_at: postedDate,
        late: isLate,
      },
      hrefs: documentPaths({ ...cells, creditNote }),
    }),
  ),
};
