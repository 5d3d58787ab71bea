import {
  type Statement,
  type StatementItems,
  type StatementRange,
  type StatementType,
  statementOf,
  statementRange,
} from '../../billing/documents/statement.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { statementFacts } from '../../db/queries/customers/statement.ts';
import type { Account } from '../../db/schema/account.ts';

/** A statement as a request asks for it. Null: the default. */
export interface AskedStatement {
  type: StatementType | null;
  /** Only of open item statements. */
  items: StatementItems | null;
  currency: string | null;
  start: Date | null;
  end: Date | null;
}

/** The latest statement: all defaults. */
export const LATEST_STATEMENT: AskedStatement = { type: null, items: null, currency: null, start: null, end: null };

/** Whose statement is read. `now`: the customer's time. */
export interface StatementOwner {
  account: Account;
  customer: { id: number; currency?: string | null | undefined };
  now: Date;
}

/** A statement that is read with the same result at any later time. */
export interface FixedStatement {
  type: StatementType;
  items: StatementItems;
  currency: string;
  range: StatementRange;
  /** Entries that were posted later are left out. */
  knownAt: Date;
}

/** Completes a request by its defaults. Refuses `items` of a balance forward statement, and a range that `statementRange` refuses. */
export function fixStatement({ account, customer, now }: StatementOwner, asked: AskedStatement): FixedStatement {
  const type = asked.type ?? 'balance_forward';
  if (type === 'balance_forward' && asked.items)
    throw new Refusal('parameter_invalid', 'Only statements of type open_item have items: leave it out', 'items');
  const { start, end } = asked;
  const range = statementRange({ type, start, end, now, zone: account.timeZone });
  const currency = asked.currency ?? customer.currency ?? account.currency;
  return { type, items: asked.items ?? 'open', currency, range, knownAt: now };
}

/** Reads an account statement. Refuses a currency that a request names and that the customer never used. */
export async function readStatement(
  em: EntityManager,
  owner: StatementOwner,
  asked: AskedStatement,
): Promise<Statement> {
  const fixed = fixStatement(owner, asked);
  const { account, customer } = owner;
  const facts = await statementFacts(em, { accountId: account.id, customerId: customer.id, ...fixed });
  const isDefault = asked.currency === null || asked.currency === (customer.currency ?? account.currency);
  if (!facts.isUsed && !isDefault)
    throw new Refusal('parameter_invalid', `Customer has no entries in this currency: ${asked.currency}`, 'currency');
  return statementOf(facts);
}

/** Reads a statement again that was fixed before. */
export async function readFixedStatement(
  em: EntityManager,
  whose: { accountId: number; customerId: number },
  fixed: FixedStatement,
): Promise<Statement> {
  return statementOf(await statementFacts(em, { ...whose, ...fixed }));
}
