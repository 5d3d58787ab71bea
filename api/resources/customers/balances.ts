import type { Json } from '../../../billing/json.ts';
import { owedCurrencies } from '../../../db/queries/customers/owed.ts';
import { condition } from '../../../db/queries/kernel/sql.ts';
import type { Customer } from '../../../db/schema/customer.ts';
import { CustomerBalance } from '../../../db/schema/customerBalance.ts';
import { TestClock } from '../../../db/schema/testClock.ts';
import { presentOwed } from '../../../present/customers/customer.ts';
import * as fields from '../../body/fields.ts';
import { type Column, type Include, type Resource, readParameter } from '../../framework/resource.ts';
import * as shown from '../../framework/shape.ts';

/** What a customer owes in a currency. */
export const owed = shown.value('OwedBalance', 'Open amounts of a customer in one currency', {
  currency: shown.currency(),
  balance: shown.money('Sum of the balances of its open invoices', 240),
  overdue: shown.money('Part of `balance` whose invoices are past due', 120),
  oldest_due_date: shown.nullable(shown.timestamp('Earliest due date of its open invoices; null: none has one')),
  days_overdue: shown.integer('Days from `oldest_due_date` to the today of the customer; 0 before that date', 12),
});

export const balances = shown.listOf(
  owed,
  'Open amounts of the customer, by currency; currencies without any are left out; only with `include=balances`',
);

/** What the customers of a page owe. */
export const balancesOf: Include<Customer>['read'] = async (reading, rows, at) => {
  const ids = rows.map(({ id }) => id);
  const found = await reading.children(CustomerBalance, { column: 'customer_id', ids, orderBy: 'currency' });
  const clocks = await reading.byId(
    TestClock,
    rows.flatMap(({ testClock }) => testClock?.id ?? []),
  );
  return rows.map(({ id, testClock }): Json => {
    const now = clocks.get(testClock?.id ?? 0)?.frozenAt ?? at?.now;
    const open = (found.get(id) ?? []).filter(({ balance }) => Number(balance) > 0);
    return now && at ? open.map((one) => presentOwed(one, { now, zone: at.account.timeZone })) : [];
  });
};

/** The currencies in which customers of the account owe something, that of the account first. */
export const currenciesOwed: NonNullable<Include<Customer>['entries']> = async ({ em, caller: { account } }) => {
  const found = await owedCurrencies(em, account.id);
  return [account.currency, ...found.filter((currency) => currency !== account.currency)];
};

export const balanceCurrency = fields.described(
  fields.currency,
  'Currency of the balances that sort and filter the list; default: that of the account',
  'usd',
);

/** A column of the balances in the currency of the request. Customers that owe nothing in it have none, and come last. */
function ofBalance(name: string, field: typeof fields.amount | typeof fields.timestamp): Column {
  return {
    sort: (direction) => [{ column: name, direction, nullable: true, nulls: 'last', byAmount: true }],
    filter: null,
    values: { name, field, isNullable: true },
  };
}

export const balanceColumns = {
  balance: ofBalance('balance', fields.amount),
  overdue: ofBalance('overdue', fields.amount),
  oldest_due_date: ofBalance('oldest_due_at', fields.timestamp),
};

const NAMES = Object.keys(balanceColumns);

/** Customers with their balances in the currency of the request, if it sorts or filters by them. */
export const withBalance: NonNullable<Resource<Customer>['listedFrom']> = ({ query, caller }) => {
  const text = query.get('currency') ?? '';
  const currency = text === '' ? caller.account.currency : readParameter(balanceCurrency, text, 'currency');
  const sort = (query.get('sort') ?? '').toLowerCase();
  const isUsed = NAMES.some(
    (name) => sort.includes(name) || [...query.keys()].some((param) => param.startsWith(`filter[${name}]`)),
  );
  if (!isUsed) return undefined;
  // Overdue parts are never negative: knowing that, PostgreSQL finds customers without them as such, not as rows to be compared.
  return condition(
    `(select c.*, b.balance, b.overdue, b.oldest_due_at from customer c left join customer_balance b
        on b.account_id = c.account_id and b.customer_id = c.id and b.currency = ? and b.balance > 0 and b.overdue >= 0)`,
    currency,
  );
};
