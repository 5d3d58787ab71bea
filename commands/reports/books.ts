import * as books from '../../db/queries/reports/books.ts';
import { currency, day, integer, money, ofStatement, pathOf, type ReportDefinition, text } from './definition.ts';

export const trialBalance: ReportDefinition = {
  title: 'Trial balance',
  definition:
    'Each ledger account: its balance before the first day, debits and credits of the days, and its balance at the end of the last day. Debits are positive, credits negative. The closing balances of a currency add up to zero.',
  options: [],
  isByCustomer: false,
  columns: () => [
    text('ledger_account', 'Ledger account'),
    currency,
    money('opening', 'Opening'),
    money('debits', 'Debits'),
    money('credits', 'Credits'),
    money('closing', 'Closing'),
  ],
  rows: async (em, asked) => {
    const found = await books.trialBalance(em, asked);
    return found.map(({ ledgerAccount, currency: code, ...sums }) => ({
      cells: { ledger_account: ledgerAccount, currency: code, ...sums },
      hrefs: {
        debits: pathOf('journal', asked, { currency: code, ledger_account: ledgerAccount }),
        credits: pathOf('journal', asked, { currency: code, ledger_account: ledgerAccount }),
      },
    }));
  },
};

export const journal: ReportDefinition = {
  title: 'Journal',
  definition: 'Ledger entries of the days in the order of posting. The entries of one posting add up to zero.',
  options: ['ledger_account', 'movement'],
  isByCustomer: false,
  columns: () => [
    integer('id', 'Entry'),
    text('posting', 'Posting'),
    day('date', 'Date'),
    text('ledger_account', 'Ledger account'),
    currency,
    money('amount', 'Amount'),
    text('reason', 'Reason'),
    integer('customer', 'Customer'),
    integer('invoice', 'Invoice'),
    integer('payment', 'Payment'),
    integer('credit_note', 'Credit note'),
  ],
  ...ofStatement(
    (asked) => {
      const { ledger_account: ledgerAccount = null, movement = null } = asked.options;
      return books.journal(asked, { ledgerAccount, movement });
    },
    ({ ledgerAccount, creditNote, ...cells }) => ({
      cells: { ...cells, ledger_account: ledgerAccount, credit_note: creditNote },
      hrefs: {},
    }),
  ),
};
