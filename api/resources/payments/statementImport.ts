import type { z } from 'zod';
import type { Presented } from '../../../billing/json.ts';
import type { Caller } from '../../../commands/kernel/caller.ts';
import { type ImportedRow, importStatement } from '../../../commands/payments/statementImport.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { type Route, withBody } from '../../framework/route.ts';
import { answerDryRun } from '../../writing/dryRun.ts';
import { write } from '../../writing/write.ts';
import { newStatement, statementAnswer } from './statementSchema.ts';

export const statementImportRoute: Route = withBody({
  method: 'POST',
  path: '/payments/import',
  operationId: 'importPayments',
  summary: 'Import a bank statement; a row that was imported before changes nothing',
  body: newStatement,
  example: {
    csv: 'Date,Amount,Text\n2027-03-01,240.00,INV-00042\n',
    mapping: { date: 'Date', amount: 'Amount', reference: 'Text' },
  },
  answer: { statusCode: 200, kind: { shape: statementAnswer } },
  handle: (request, body) => {
    const command = (em: EntityManager, caller: Caller, now: Date) =>
      importStatement(em, { caller, csv: body.csv, format: formatOf(body, caller) }, now);
    if (body.dry_run)
      return answerDryRun(request, async (em, caller, now) => {
        const rows = await command(em, caller, now);
        return { rows: rows.map((one) => presentRow('created' in one ? { ...one, created: null } : one)) };
      });
    return write(request, { statusCode: 200, command, present: (rows) => ({ rows: rows.map(presentRow) }) });
  },
});

function formatOf(body: z.output<typeof newStatement>, { account }: Caller) {
  const { date, amount, reference, sender, currency, debit } = body.mapping;
  const columns = {
    date,
    amount,
    reference: reference ?? null,
    sender: sender ?? null,
    currency: currency ?? null,
    debit: debit ?? null,
  };
  const { date_format: dateFormat, decimal_separator: decimalSeparator } = body;
  return { columns, dateFormat, decimalSeparator, currency: account.currency };
}

/** `created` null: a dry run would create a payment. */
function presentRow(answer: ImportedRow | { row: number; created: null }): Presented {
  const { row } = answer;
  if ('created' in answer)
    return answer.created === null ? { row, status: 'created' } : { row, status: 'created', payment: answer.created };
  if ('duplicate' in answer) return { row, status: 'duplicate', payment: answer.duplicate };
  if ('ignored' in answer) return { row, status: 'ignored', reason: answer.ignored };
  const { code, message, param } = answer.refusal;
  return { row, status: 'refused', error: { code, message, param: param ?? 'csv' } };
}
