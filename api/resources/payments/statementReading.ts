import type { Presented } from '../../../billing/json.ts';
import { dateFormats, decimalSeparators } from '../../../billing/payments/statementCells.ts';
import type { StatementColumns } from '../../../billing/payments/statementCsv.ts';
import type { HowRead, StatementTask } from '../../../commands/ports/ports.ts';
import * as shown from '../../framework/shape.ts';

const used = (what: string, example: string | null) =>
  shown.nullable(shown.text(`Name of the column ${what}; null: none is used`, example ?? ''), example);

const readMapping = shown.value('StatementMapping', 'Columns from which a statement was read', {
  date: shown.text('Name of the column with the day', 'Date'),
  amount: shown.text('Name of the column with the amount', 'Amount'),
  reference: used('with the reference', 'Text'),
  sender: used('with the id of the sender', null),
  payer: used('with the name of the payer', null),
  currency: used('with the currency', null),
  debit: used('with debits', null),
  direction: used('that says whether money came in', null),
});

/** How a statement was read, in the answer to a dry run. */
export const statementReading = shown.value(
  'StatementReading',
  'Format and columns by which a bank statement was read',
  {
    format: shown.choice('Format of the statement', 'csv', 'camt.053', 'mt940'),
    columns: shown.textList(
      'Columns that `mapping` can name, in the order of the header; others have no name of their own. Empty for other formats than CSV',
      'Date',
      'Amount',
      'Text',
    ),
    mapping: shown.unset(
      shown.one(
        readMapping,
        'Columns that were used; null: no CSV, or no columns with days and amounts were found, and `rows` is empty',
      ),
    ),
    date_format: shown.nullable(shown.choice('Format of the days; null: no CSV, or it is not known', ...dateFormats)),
    decimal_separator: shown.nullable(
      shown.choice('Character before the decimals of amounts; null: each amount shows its own', ...decimalSeparators),
      null,
    ),
    skip_rows: shown.nullable(shown.integer('Number of lines before the header; null: no CSV', 0)),
    proposed: shown.flag('Whether Perennial chose what the request did not say', true),
  },
);

export function presentReading({ format, csv }: HowRead, sent: StatementTask['format']): Presented {
  return {
    format,
    columns: csv?.names ?? [],
    mapping: csv?.columns ? presentMapping(csv.columns) : null,
    date_format: csv?.dateFormat ?? null,
    decimal_separator: csv?.decimalSeparator ?? null,
    skip_rows: csv?.skipRows ?? null,
    proposed: csv !== null && sent.isProposed,
  };
}

function presentMapping(columns: StatementColumns): Presented {
  const { date, amount, reference, sender, payer, currency, debit, direction } = columns;
  return { date, amount, reference, sender, payer, currency, debit, direction };
}
