import { MOST_ROWS } from '../../../billing/bankStatement.ts';
import { errorCodeNames } from '../../../billing/errorCodes.ts';
import { dateFormats, decimalSeparators } from '../../../billing/statementCells.ts';
import * as fields from '../../body/fields.ts';
import { readText, unfit } from '../../body/readers.ts';
import { object } from '../../body/request.ts';
import * as shapes from '../../framework/shape.ts';

const MOST_BYTES = 1_048_576;

/** Maximum number of lines before the header. */
const MOST_SKIPPED = 100;

/** Text of at most 1 MiB. */
const csv = fields.field(
  (value) => {
    const text = readText(value, MOST_BYTES);
    return Buffer.byteLength(text) > MOST_BYTES ? unfit(`must have at most ${MOST_BYTES} bytes`) : text;
  },
  { type: 'string', maxLength: MOST_BYTES },
);

const column = (description: string) => fields.described(fields.reference, `Name of the column ${description}`);

const mapping = object({
  date: fields.required(column('with the day')),
  amount: fields.required(column('with the amount; negative amounts are debits')),
  reference: column('with the reference of the payer'),
  sender: column('with the id of the sender, which becomes `ach_sender_id`'),
  currency: column('with the currency; absent: all rows are in the currency of the account'),
  debit: column('with debits, if they have one of their own; their rows are ignored'),
  direction: column(
    'that says whether money came in (`K`, `C`, `CR`, `H`, `Bij` …) or went out (`D`, `DR`, `S`, `Af` …)',
  ),
  payer: column('with the name of the payer, which becomes the first line of the notes'),
});

export const newStatement = object({
  csv: fields.described(
    csv,
    `Statement as text, unless it is sent as a file: CSV with a header, camt.053 or MT940, at most ${MOST_ROWS} rows and 1 MiB. Fields of CSV are separated by commas, semicolons, tabs or bars`,
  ),
  mapping: fields.described(
    fields.nested(mapping),
    'Columns of the header, needed for CSV; case and surrounding spaces do not count',
  ),
  date_format: fields.described(fields.withDefault(fields.choice(...dateFormats), 'YYYY-MM-DD'), 'Format of the days'),
  decimal_separator: fields.described(
    fields.choice(...decimalSeparators),
    'Character before the decimals of amounts; absent: each amount shows it, and one like `3.000`, which could mean two amounts, is refused',
  ),
  skip_rows: fields.described(
    fields.withDefault(fields.wholeNumber(0, MOST_SKIPPED), 0),
    'Number of lines before the header',
  ),
  dry_run: fields.described(
    fields.withDefault(fields.boolean, false),
    'True: nothing is stored, and the answer says what would be',
  ),
});

const row = shapes.sometimes(
  shapes.value('StatementRow', 'Answer to one row of a statement', {
    row: shapes.integer(
      'Number of the row; the header of CSV is row 1 if no lines are before it, the first transaction of other formats is 1',
      2,
    ),
    status: shapes.choice(
      '`created`: it is a new payment; `duplicate`: an earlier import had it; `ignored`: see `reason`; `refused`: see `error`',
      'created',
      'duplicate',
      'ignored',
      'refused',
    ),
  }),
  {
    payment: shapes.id('Id of the payment; a dry run creates none', 12),
    reason: shapes.choice(
      '`debit`: money went out; `zero`: the amount is zero; `pending`: the bank has not booked it',
      'debit',
      'zero',
      'pending',
    ),
    date: shapes.text('Day that was read, in a dry run', '2027-03-01'),
    amount: shapes.money('Amount that was read, without a sign, in a dry run', 240),
    currency: shapes.currency('Currency of the amount, in a dry run'),
    direction: shapes.choice('`credit`: money came in; `debit`: it went out; in a dry run', 'credit', 'debit'),
    applied_to: shapes.listOf(
      shapes.value('StatementRowApplication', 'Invoice that a payment will pay by itself', {
        type: shapes.choice('Always `invoice`', 'invoice'),
        invoice: shapes.id('Id of the invoice', 77),
        amount: shapes.money('Amount that it gets', 240),
      }),
      'Invoices that the payment will pay by itself, in a dry run with the setting `auto_apply_matches`; absent: nothing is certain',
    ),
    error: shapes.one(
      shapes.value('StatementRowError', 'Fault of a row that was refused', {
        code: shapes.oneOf('Code of the error, as in `Error`', 'parameter_invalid', errorCodeNames),
        message: shapes.text('Reason in words', 'Date must be a day as YYYY-MM-DD, from 1971 to 2199: 1.2.27'),
        param: shapes.text('Field of `mapping` whose column is at fault, or `csv` or `file`', 'date'),
      }),
      'Fault of the row, if it was refused',
    ),
  },
);

export const statementAnswer = shapes.value('StatementImport', 'Answer to the import of a bank statement', {
  rows: shapes.listOf(row, 'One answer for each row that is not empty, in their order'),
});
