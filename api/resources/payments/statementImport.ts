import type { z } from 'zod';
import type { ReadValues, StatementRow } from '../../../billing/bankStatement.ts';
import type { Presented } from '../../../billing/json.ts';
import { Refusal } from '../../../billing/refusal.ts';
import type { StatementColumns } from '../../../billing/statementCsv.ts';
import type { Caller } from '../../../commands/kernel/caller.ts';
import { type ImportedRow, importStatement } from '../../../commands/payments/statementImport.ts';
import type { StatementTask } from '../../../commands/ports/ports.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { number } from '../../../present/kernel/values.ts';
import type { ApiRequest } from '../../framework/apiRequest.ts';
import { type Route, withBody } from '../../framework/route.ts';
import { answerDryRun } from '../../writing/dryRun.ts';
import { write } from '../../writing/write.ts';
import { newStatement, statementAnswer } from './statementSchema.ts';

type Body = z.output<typeof newStatement>;

/** Maximum size of a file, MiB. */
const MOST_MEBIBYTES = 10;

const route = withBody({
  method: 'POST',
  path: '/payments/import',
  operationId: 'importPayments',
  summary:
    'Import a bank statement as CSV, camt.053 or MT940, as text or as a file; a row that was imported before changes nothing',
  body: newStatement,
  example: {
    csv: 'Date,Amount,Text\n2027-03-01,240.00,INV-00042\n',
    mapping: { date: 'Date', amount: 'Amount', reference: 'Text' },
  },
  answer: { statusCode: 200, kind: { shape: statementAnswer } },
  handle: async (request, body) => {
    const { deps, caller } = request;
    const task = { source: sourceOf(request, body), format: formatOf(body, caller) };
    const read = await deps.statements.read(task, caller.account.id);
    const command = (em: EntityManager, who: Caller, now: Date) =>
      importStatement(em, { caller: who, rows: read, foresees: body.dry_run }, now);
    if (body.dry_run)
      return answerDryRun(request, async (em, who, now) => {
        const rows = await command(em, who, now);
        return { rows: rows.map((one, place) => presentTried(one, read[place])) };
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
  const { date_format: dateFormat, decimal_separator: decimalSeparator = null, skip_rows: skipRows } = body;
  return { columns: columnsOf(body), dateFormat, decimalSeparator, skipRows, currency: account.currency };
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
  const shown = { amount: number(amount), currency, direction };
  return day === null ? shown : Object.assign(shown, { date: day });
}

function receivedValues({ day, amount, currency }: Omit<ReadValues, 'direction'>): ReadValues {
  return { day, amount, currency, direction: 'credit' };
}
