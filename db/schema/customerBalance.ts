import { defineEntity, p } from '@mikro-orm/core';
import { policiesThrough } from '../tenant.ts';
import { amount, tenantKey } from './columns.ts';
import { Customer } from './customer.ts';
import { partialIndex } from './indexes.ts';

/** SQL: condition of the invoices that a customer owes. */
export const OWED = 'issued_at is not null and not closed';

const CustomerBalanceSchema = defineEntity({
  name: 'CustomerBalance',
  policies: policiesThrough('customer_balance', 'customer'),
  comment:
    'What a customer owes in a currency: the sums of its open invoices, kept by triggers of the invoices; zero once everything is paid',
  properties: {
    ...tenantKey,
    customer: () => p.manyToOne(Customer).joinColumns('account_id', 'customer_id').deleteRule('cascade'),
    currency: p.string().length(3),
    balance: amount(),
    /** The part of the balance whose invoices are past due. */
    overdue: amount(),
    /** The earliest due date of these invoices; null: none has one. */
    oldestDueAt: p.datetime().nullable(),
  },
  uniques: [{ name: 'customer_balance_currency', properties: ['accountId', 'customer', 'currency'] }],
  indexes: [
    partialIndex('customer_balance', 'customer_balance_by_balance', [
      'account_id, currency, balance, customer_id',
      'balance > 0',
    ]),
    partialIndex('customer_balance', 'customer_balance_by_overdue', [
      'account_id, currency, overdue, customer_id',
      'balance > 0',
    ]),
    partialIndex('customer_balance', 'customer_balance_by_oldest', [
      'account_id, currency, oldest_due_at, customer_id',
      'balance > 0',
    ]),
  ],
});
export class CustomerBalance extends CustomerBalanceSchema.class {}
CustomerBalanceSchema.setClass(CustomerBalance);

/** SQL: balance, overdue part and earliest due date of open invoices. */
export const OWED_SUMS = `sum(balance) as balance, coalesce(sum(balance) filter (where past_due), 0) as overdue, min(due_at) as oldest_due_at`;

/** SQL: the sums of all open invoices of a customer in a currency, of which `changed` has the ids. */
const OF_CHANGED = `from invoice where account_id = changed.account_id and customer_id = changed.customer_id
        and currency = changed.currency and ${OWED}`;

const SIDES = {
  insert: ['after_rows'],
  update: ['after_rows', 'before_rows'],
  delete: ['before_rows'],
} as const;

/**
 * A trigger that adds the changes of a statement to the balances of its customers. It runs once for a statement, so the balance of a customer
 * is written once however many of its invoices a payment or a merge changes. The first change of a customer without a row sums its invoices:
 * those from before the table are counted in this way, too.
 */
export function keepsBalances(event: keyof typeof SIDES) {
  const name = `invoice_balances_${event}`;
  const sides = SIDES[event].map((rows) => {
    const sign = rows === 'after_rows' ? '' : '-';
    return `select account_id, customer_id, currency, ${sign}balance as balance,
          case when past_due then ${sign}balance else 0 end as overdue, due_at, ${rows === 'after_rows'} as is_after
        from ${rows} where ${OWED}`;
  });
  const tables = SIDES[event].map((rows) => `${rows === 'after_rows' ? 'new' : 'old'} table as ${rows}`).join(' ');
  const expression = `create or replace function ${name}() returns trigger as $$
declare changed record;
begin
  for changed in
    select account_id, customer_id, currency, sum(balance) as balance, sum(overdue) as overdue from (
        ${sides.join('\n        union all ')}
      ) side
      group by account_id, customer_id, currency
      having sum(balance) <> 0 or sum(overdue) <> 0
        or min(due_at) filter (where is_after) is distinct from min(due_at) filter (where not is_after)
      order by account_id, customer_id, currency
  loop
    update customer_balance set balance = balance + changed.balance, overdue = overdue + changed.overdue,
        oldest_due_at = (select min(due_at) ${OF_CHANGED})
      where account_id = changed.account_id and customer_id = changed.customer_id and currency = changed.currency;
    if not found then
      insert into customer_balance (account_id, customer_id, currency, balance, overdue, oldest_due_at)
      select changed.account_id, changed.customer_id, changed.currency, coalesce(sums.balance, 0), sums.overdue, sums.oldest_due_at
        from (select ${OWED_SUMS} ${OF_CHANGED}) sums
      on conflict (account_id, customer_id, currency) do update
        set balance = excluded.balance, overdue = excluded.overdue, oldest_due_at = excluded.oldest_due_at;
    end if;
  end loop;
  return null;
end; $$ language plpgsql;
create trigger "${name}" after ${event} on "invoice" referencing ${tables}
  for each statement execute function ${name}();`;
  return { name, timing: 'after' as const, events: [event], forEach: 'statement' as const, expression };
}
