import type { EntityManager } from '../../db/orm.ts';
import type { Account } from '../../db/schema/account.ts';
import { Customer } from '../../db/schema/customer.ts';
import type { MailedStatement } from '../../db/schema/email.ts';
import type { Pdf } from '../documents/pdfs.ts';
import type { PdfRenderer } from '../ports/pdf.ts';
import { statementPdf } from './printing.ts';
import { type FixedStatement, readFixedStatement } from './reading.ts';

/** A statement as an email keeps it until it is sent: times are text. */
export function mailedStatement(
  id: number,
  { type, items, currency, range, knownAt }: FixedStatement,
): MailedStatement {
  const { from, until, lastDay } = range;
  return {
    type: 'statement',
    id,
    kind: type,
    items,
    currency,
    from: from?.toISOString() ?? null,
    until: until.toISOString(),
    lastDay,
    knownAt: knownAt.toISOString(),
  };
}

/**
 * The PDF of a statement that an email carries, with the entries that were known when it was written. Null: the customer was merged or deleted
 * meanwhile, and its entries are those of another one. Throws Unprintable.
 */
export async function mailedStatementPdf(
  deps: { em: EntityManager; pdf: PdfRenderer },
  account: Account,
  mailed: MailedStatement,
): Promise<Pdf | null> {
  const { id, kind: type, items, currency, from, until, lastDay, knownAt } = mailed;
  const customer = await deps.em.findOne(Customer, { accountId: account.id, id });
  if (!customer || customer.mergedInto) return null;
  const range = { from: from === null ? null : new Date(from), until: new Date(until), lastDay };
  const fixed = { type, items, currency, range, knownAt: new Date(knownAt) };
  const statement = await readFixedStatement(deps.em, { accountId: account.id, customerId: id }, fixed);
  return statementPdf(deps, { account, customer, statement });
}
