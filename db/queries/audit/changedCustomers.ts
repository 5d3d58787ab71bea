import { customerTables, subjectTables } from '../../schema/customerTables.ts';
import type { Sql } from '../kernel/sql.ts';
import type { Check } from './check.ts';

/** Customers of all accounts: parallel lists of accounts and ids. */
export interface Customers {
  accounts: number[];
  ids: number[];
}

/** SQL: customers with an event or a ledger entry since $1. */
const changed = `
  select account_id, customer_id as id from ledger_entry where posted_at >= $1 and customer_id is not null
  union
  select account_id, subject_id::int from changed_subject where subject_type = 'customer'
  ${subjectTables
    .map(
      (
        table,
      ) => `union select o.account_id, o.customer_id from changed_subject s join ${table} o on o.account_id = s.account_id
        and o.id = case s.subject_type when '${table}' then s.subject_id::int end where o.customer_id is not null`,
    )
    .join(' ')}`;

/** Documents that payments are applied to, and the column of an application by which it refers to them. */
const paid = [
  ['invoice', 'invoice_id'],
  ['credit_note', 'credit_note_id'],
  ['estimate', 'estimate_id'],
];

/** SQL: customers whose books refer to those of customer k: relatives, and both sides of a payment. */
const linked = `
  select parent_id as id from customer c where c.account_id = k.account_id and c.id = k.id and parent_id is not null
  union all select c.id from customer c where c.account_id = k.account_id and c.parent_id = k.id
  union all select into_id from merged m where m.account_id = k.account_id and m.id = k.id
  union all select m.id from merged m where m.account_id = k.account_id and m.into_id = k.id
  ${paid
    .map(
      ([table, column]) => `
      union all select d.customer_id from payment p join payment_application a on a.account_id = p.account_id and a.payment_id = p.id
        join ${table} d on d.account_id = a.account_id and d.id = a.${column} where p.account_id = k.account_id and p.customer_id = k.id
      union all select p.customer_id from ${table} d join payment_application a on a.account_id = d.account_id and a.${column} = d.id
        join payment p on p.account_id = a.account_id and p.id = a.payment_id
        where d.account_id = k.account_id and d.customer_id = k.id and p.customer_id is not null`,
    )
    .join('')}`;

/** Finds the customers with an event or a ledger entry since a time, and those whose books refer to theirs. Reads the time of all of both. */
export async function changedCustomers(sql: Sql, since: Date): Promise<Customers> {
  const [row] = await sql.query<Customers>(
    `with recursive changed_subject as materialized (
       select distinct account_id, subject_type, subject_id from event where created_at >= $1),
     merged as materialized (select account_id, id, merged_into_id as into_id from customer where merged_into_id is not null),
     known as (
       select * from (${changed}) c
       union select k.account_id, l.id from known k cross join lateral (${linked}) l)
     select coalesce(array_agg(account_id), '{}') as accounts, coalesce(array_agg(id), '{}') as ids from known`,
    [since],
  );
  return row ?? { accounts: [], ids: [] };
}

/** In these tables, a limited check sees only the rows of its customers. Lines are found by their documents. */
const limited = [...customerTables.filter((table) => table !== 'line_item'), 'customer_balance', 'ledger_entry'];

/** Those that also have rows without a customer, which each check sees. */
const ownerless = ['payment', 'ledger_entry'];

/** Tables whose rows belong to those of a limited table, by a column. */
const partsOf = [
  ['payment_application', 'payment', 'payment_id'],
  ['late_fee', 'invoice', 'invoice_id'],
  ['usage_rate', 'subscription', 'subscription_id'],
  ['usage_record', 'subscription', 'subscription_id'],
  ['mrr_movement', 'subscription', 'subscription_id'],
];

const subjects = subjectTables.map((table) => `union all select account_id, '${table}', id::text from ${table}`);

/**
 * Limits a check to the books of some customers. Common table expressions that are named like the tables hide all other rows, so that the
 * SQL of a check exists once. Rows without a customer stay visible. A check with `isOfAccount` is not limited.
 */
export function limitedTo(customers: Customers, check: Check): Check {
  if (check.isOfAccount) return check;
  const accounts = `'{${[...new Set(customers.accounts)].join()}}'::int[]`;
  const ids = `'{${customers.ids.join()}}'::int[]`;
  const tables = [
    `customer as not materialized (select * from public.customer where account_id = any(${accounts}) and id = any(${ids}))`,
    ...limited.map(
      (table) => `${table} as not materialized (select * from public.${table} where account_id = any(${accounts})
        and (customer_id = any(${ids}) ${ownerless.includes(table) ? 'or customer_id is null' : ''}))`,
    ),
    ...partsOf.map(
      ([table, of, column]) => `${table} as not materialized (select * from public.${table}
        where (account_id, ${column}) in (select account_id, id from ${of}))`,
    ),
    `subject as (select account_id, 'customer' as subject_type, id::text as subject_id from customer ${subjects.join(' ')})`,
    `event as not materialized (select * from public.event where (account_id, subject_type, subject_id) in (
       select account_id, subject_type, subject_id from subject))`,
  ];
  return { ...check, sql: `with ${tables.join(',\n')} select * from (${check.sql}) limited` };
}
