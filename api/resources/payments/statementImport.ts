import type { z } from 'zod';
import { errorCodeNames } from '../../../billing/errorCodes.ts';
import type { Presented } from '../../../billing/json.ts';
import {
  MOST_ROWS,
  type ReadValues,
  type StatementEntry,
  type StatementRow,
} from '../../../billing/payments/bankStatement.ts';
import { dateFormats, decimalSeparators } from '../../../billing/payments/statementCells.ts';
import type { StatementColumns } from '../../../billing/payments/statementCsv.ts';
import { Refusal } from '../../../billing/refusal.ts';
import type { Caller } from '../../../commands/kernel/caller.ts';
import { type ImportedRow, importStatement } from '../../../commands/payments/statementImport.ts';
import type { StatementTask } from '../../../commands/ports/ports.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { number } from '../../../present/kernel/values.ts';
import * as fields from '../../body/fields.ts';
import { readText, unfit } from '../../body/readers.ts';
import { object } from '../../body/request.ts';
import type { ApiRequest } from '../../framework/apiRequest.ts';
import { type Route, withBody } from '../../framework/route.ts';
import * as shown from '../../framework/shape.ts';
import { answerDryRun } from '../../writing/dryRun.ts';
import { write } from '../../writing/write.ts';
import { presentReading, statementReading } from './statementReading.ts';

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

const newStatement = object({
  csv: fields.described(
    csv,
    `Statement as text, unless it is sent as a file: CSV with a header, camt.053 or MT940, at most ${MOST_ROWS} rows and 1 MiB. Fields of CSV are separated by commas, semicolons, tabs or bars`,
  ),
  mapping: fields.described(
    fields.nested(mapping),
    'Columns of the header, needed for CSV unless a dry run proposes them; case and surrounding spaces do not count',
  ),
  date_format: fields.described(
    fields.choice(...dateFormats),
    'Format of the days; absent: `YYYY-MM-DD`, unless a dry run proposes it',
  ),
  decimal_separator: fields.described(
    fields.choice(...decimalSeparators),
    'Character before the decimals of amounts; absent: each amount shows it, and one like `3.000`, which could mean two amounts, is refused',
  ),
  skip_rows: fields.described(
    fields.wholeNumber(0, MOST_SKIPPED),
    'Number of lines before the header; absent: 0, unless a dry run proposes it',
  ),
  dry_run: fields.described(
    fields.withDefault(fields.boolean, false),
    'True: nothing is stored, and the answer says what would be',
  ),
  propose: fields.described(
    fields.boolean,
    'In a dry run of CSV: whether to propose `mapping`, `date_format`, `decimal_separator` and `skip_rows` where they are not sent; absent: if `mapping` is not sent',
  ),
});

const row = shown.sometimes(
  shown.value('StatementRow', 'Answer to one row of a statement', {
    row: shown.integer(
      'Number of the row; the header of CSV is row 1 if no lines are before it, the first transaction of other formats is 1',
      2,
    ),
    status: shown.choice(
      '`created`: it is a new payment; `duplicate`: an earlier import had it; `ignored`: see `reason`; `refused`: see `error`',
      'created',
      'duplicate',
      'ignored',
      'refused',
    ),
  }),
  {
    payment: shown.id('Id of the payment; a dry run creates none', 12),
    reason: shown.choice(
      '`debit`: money went out; `zero`: the amount is zero; `pending`: the bank has not booked it',
      'debit',
      'zero',
      'pending',
    ),
    date: shown.text('Day that was read, in a dry run', '2027-03-01'),
    amount: shown.money('Amount that was read, without a sign, in a dry run', 240),
    currency: shown.currency('Currency of the amount, in a dry run'),
    direction: shown.choice('`credit`: money came in; `debit`: it went out; in a dry run', 'credit', 'debit'),
    reference: shown.text('Reference of money that came in, in a dry run; absent: it has none', 'Invoice INV-00042'),
    payer: shown.text('Name of the payer, in a dry run; absent: it is not told', 'Acme Ltd'),
    sender: shown.text('Account of the payer, in a dry run; absent: it is not told', 'DE89370400440532013000'),
    applied_to: shown.listOf(
      shown.value('StatementRowApplication', 'Invoice that a payment will pay by itself', {
        type: shown.choice('Always `invoice`', 'invoice'),
        invoice: shown.id('Id of the invoice', 77),
        amount: shown.money('Amount that it gets', 240),
      }),
      'Invoices that the payment will pay by itself, in a dry run with the setting `auto_apply_matches`; absent: nothing is certain',
    ),
    error: shown.one(
      shown.value('StatementRowError', 'Fault of a row that was refused', {
        code: shown.oneOf('Code of the error, as in `Error`', 'parameter_invalid', errorCodeNames),
        message: shown.text('Reason in words', 'Date must be a day as YYYY-MM-DD, from 1971 to 2199: 1.2.27'),
        param: shown.text('Field of `mapping` whose column is at fault, or `csv` or `file`', 'date'),
      }),
      'Fault of the row, if it was refused',
    ),
  },
);

const statementAnswer = shown.sometimes(
  shown.value('StatementImport', 'Answer to the import of a bank statement', {
    rows: shown.listOf(row, 'One answer for each row that is not empty, in their order'),
  }),
  { reading: shown.one(statementReading, 'Format and columns by which the statement was read, in a dry run') },
);

type Body = z.output<typeof newStatement>;

/** Maximum size of a file, MiB. */
const MOST_MEBIBYTES = 10;

const route = withBody({
  method: 'POST',
  path: '/payments/import',
  operationId: 'importPayments',
  permission: 'payments.write',
  ofAllCustomers: true,
  summary:
    'Import a bank statement as CSV, camt.053 or MT940, as text or as a file; a row that was imported before changes nothing',
  body: newStatement,
  example: {
    csv: 'Date,Amount,Text\n2027-03-01,240.00,INV-00042\n',
    mapping: { date: 'Date', amount: 'Amount', reference: 'Text' },
  },
  answer: { statusCode: 200, kind: { shape: statementAnswer, said: ['rows.error.message'] } },
  handle: async (request, body) => {
    const { deps, caller } = request;
    const task = { source: sourceOf(request, body), format: formatOf(body, caller) };
    const { rows: read, how } = await deps.statements.read(task, caller.account.id);
    const command = (em: EntityManager, who: Caller, now: Date) =>
      importStatement(em, { caller: who, rows: read, foresees: body.dry_run }, now);
    if (body.dry_run)
      return answerDryRun(request, async (em, who, now) => {
        const rows = await command(em, who, now);
        const reading = presentReading(how, task.format);
        return { rows: rows.map((one, place) => presentTried(one, read[place])), reading };
      });
    return write(request, { statusCode: 200, command, present: (rows) => ({ rows: rows.map(presentRow) }) });
  },
});

/** A request with a file has the other fields beside it. */
export const statementImportRoute: Route = {
  ...route,
  takesFile: true,
  takesFields: true,
  handle: (request) => route.handle(request.upload ? { ...request, body: withoutFile(request.body) } : request),
};

function withoutFile(body: unknown): unknown {
  return Object.fromEntries(Object.entries(Object(body)).filter(([name]) => name !== 'file'));
}

function sourceOf({ upload }: ApiRequest, { csv = null }: Body): StatementTask['source'] {
  if (upload && csv !== null)
    throw new Refusal('parameter_invalid', 'The statement must be in the part file or in csv, not in both', 'csv');
  if (upload && upload.size > MOST_MEBIBYTES * 1024 * 1024)
    throw new Refusal('body_too_large', `A statement must not be larger than ${MOST_MEBIBYTES} MiB`, 'file');
  if (upload) return { path: upload.path };
  if (csv !== null) return { text: csv };
  throw new Refusal(
    'parameter_missing',
    'Csv missing: send the statement as text in csv, or as a file in the multipart part file',
    'csv',
  );
}

function formatOf(body: Body, { account }: Caller): StatementTask['format'] {
  const { dry_run: isTried, propose = null } = body;
  if (propose && !isTried)
    throw new Refusal(
      'parameter_invalid',
      'Propose needs dry_run: a proposal is seen before it is imported',
      'propose',
    );
  const columns = columnsOf(body);
  return {
    columns,
    dateFormat: body.date_format ?? null,
    decimalSeparator: body.decimal_separator ?? null,
    skipRows: body.skip_rows ?? null,
    currency: account.currency,
    country: account.country ?? null,
    isProposed: isTried && (propose ?? columns === null),
  };
}

function columnsOf({ mapping }: Body): StatementColumns | null {
  if (!mapping) return null;
  const { date, amount } = mapping;
  if (date === null || amount === null) return null;
  const { reference, sender, currency, debit, direction, payer } = mapping;
  return {
    date,
    amount,
    reference: reference ?? null,
    sender: sender ?? null,
    currency: currency ?? null,
    debit: debit ?? null,
    direction: direction ?? null,
    payer: payer ?? null,
  };
}

function presentRow(answer: ImportedRow): Presented {
  const { row } = answer;
  if ('created' in answer) return { row, status: 'created', payment: answer.created };
  if ('duplicate' in answer) return { row, status: 'duplicate', payment: answer.duplicate };
  if ('ignored' in answer) return { row, status: 'ignored', reason: answer.ignored };
  const { code, message, param } = answer.refusal;
  return { row, status: 'refused', error: { code, message, param: param ?? 'csv' } };
}

/** What an import would answer to a row, and what was read of it. */
function presentTried(answer: ImportedRow, read: StatementRow | undefined): Presented {
  const { row } = answer;
  if (!('created' in answer)) return Object.assign(presentRow(answer), presentValues(read));
  const told = Object.assign({ row, status: 'created' }, presentValues(read));
  if (!answer.certain) return told;
  const parts = answer.certain.parts.map(({ invoiceId, amount }) => ({
    type: 'invoice',
    invoice: invoiceId,
    amount: number(amount),
  }));
  return Object.assign(told, { applied_to: parts });
}

function presentValues(read: StatementRow | undefined): Presented {
  if (!read || 'refusal' in read) return {};
  const values: ReadValues = 'entry' in read ? receivedValues(read.entry) : read.values;
  const { day, amount, currency, direction } = values;
  const presented = { amount: number(amount), currency, direction, ...('entry' in read ? textsOf(read.entry) : {}) };
  return day === null ? presented : Object.assign(presented, { date: day });
}

/** What a receipt says about itself. */
function textsOf({ reference, payer, sender }: StatementEntry): Presented {
  return Object.fromEntries(Object.entries({ reference, payer, sender }).filter(([, text]) => text !== null));
}

function receivedValues({ day, amount, currency }: Omit<ReadValues, 'direction'>): ReadValues {
  return { day, amount, currency, direction: 'credit' };
}
