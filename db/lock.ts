import type { EntityClass, EntityDictionary } from '@mikro-orm/core';
import type { DocumentTable } from '../billing/documents/document.ts';
import type { CustomerProcessTable } from '../billing/processes.ts';
import type { EntityManager } from './orm.ts';
import { themeSql } from './queries/catalog/themes.ts';
import { plainReader } from './queries/kernel/plain.ts';
import { hasId } from './queries/kernel/sql.ts';
import { Account } from './schema/account.ts';
import { Customer, PaymentSource } from './schema/customer.ts';
import type { CustomerTable } from './schema/customerTables.ts';
import { TaxRate } from './schema/taxRate.ts';
import { TestClock } from './schema/testClock.ts';
import { Theme } from './schema/theme.ts';

/** Runs a statement that selects whole rows of one table. Entities that are already loaded get the new values. */
export async function refreshBy<Row extends object>(
  em: EntityManager,
  entity: EntityClass<Row>,
  statement: { sql: string; values: unknown[] },
): Promise<Row[]> {
  const rows = await em.execute<EntityDictionary<Row>[]>(statement.sql, statement.values);
  return rows.map((row) => em.map(entity, row));
}

/** Real time. Commands get it as a parameter and never read a clock themselves. */
export type SystemNow = Date;

export interface CustomerLock {
  customer: Customer;
  /** The customer's time: its test clock's frozen time, else the real time passed in. */
  now: Date;
  /** The customer's test clock; null: none. */
  clockId: number | null;
  /** Number of that clock's current advance; null: none. */
  advance: number | null;
  /** Whether its account has chasing cadences. */
  hasCadences: boolean;
}

/**
 * Locks a customer (its clock first, shared) and loads its default payment source and tax rates. Null if the account has no such customer.
 * FOR NO KEY UPDATE: rows that merely refer to the customer can still be inserted.
 */
export async function lockCustomerRow(
  em: EntityManager,
  key: { accountId: number; customerId: number },
  systemNow: SystemNow,
): Promise<CustomerLock | null> {
  const { accountId, customerId } = key;
  const values = [accountId, accountId, customerId, accountId, customerId];
  const [row] = await em.execute<LockedRow[]>(locking({ id: '?', also: '', join: '' }), values);
  return row ? lockedOf(em, row, systemNow) : null;
}

/** Like `lockCustomerRow`, for the customer that owns an object, and with the account. Null if the account has no such object. */
export async function lockOwnerRow(
  em: EntityManager,
  of: { table: CustomerProcessTable | 'email' | 'text_message'; accountId: number; id: number },
  systemNow: SystemNow,
): Promise<(CustomerLock & { account: Account }) | null> {
  const { table, accountId, id } = of;
  const sql = locking({
    id: `(select customer_id from ${table} where account_id = ? and id = ?)`,
    also: ', to_jsonb(a) as account',
    join: 'join account a on a.id = c.account_id',
  });
  const values = [accountId, accountId, accountId, id, accountId, accountId, id];
  const [row] = await em.execute<(LockedRow & { account: EntityDictionary<Account> })[]>(sql, values);
  if (!row) return null;
  const { account, ...customer } = row;
  return { ...(await lockedOf(em, customer, systemNow)), account: em.map(Account, account) };
}

/** SQL: whether the account of customer `c` has chasing cadences. */
const HAS_CADENCES = 'exists (select 1 from chasing_cadence k where k.account_id = c.account_id) as has_cadences';

/** SQL: the theme of customer `c`, else the default one of its account. */
const SHOWN_THEME = `${themeSql({ accountId: 'c.account_id', themeId: 'c.theme_id' })} as shown_theme`;

/** The locking statement. `id`: an expression for the customer's id. `also`: columns of joined tables. */
const locking = ({ id, also, join }: { id: string; also: string; join: string }) =>
  `with clock as (
     select frozen_at, case status when 'advancing' then advances end as advance from test_clock where account_id = ?
     and id = (select test_clock_id from customer where account_id = ? and id = ${id}) for share
   )
   select c.*, clock.frozen_at as clock_frozen_at, clock.advance as clock_advance, ${HAS_CADENCES}, ${SHOWN_THEME}, to_jsonb(s) as source${also}
   from customer c left join clock on true
   left join payment_source s on s.account_id = c.account_id and s.id = c.default_source_id ${join}
   where c.account_id = ? and c.id = ${id} for no key update of c`;

interface LockedRow extends EntityDictionary<Customer> {
  clock_frozen_at: string;
  clock_advance: number | null;
  has_cadences: boolean;
  shown_theme: object | null;
  source: EntityDictionary<PaymentSource> | null;
}

async function lockedOf(em: EntityManager, row: LockedRow, systemNow: SystemNow): Promise<CustomerLock> {
  const { clock_frozen_at: frozenAt, clock_advance: advance, has_cadences: hasCadences, source, ...others } = row;
  const { shown_theme: theme, ...columns } = others;
  // The previous holder of the lock may have changed the default source after it was joined. Then the new one is looked up.
  if (source && source.id === columns.default_source_id) em.map(PaymentSource, source);
  const customer = em.map(Customer, columns);
  customer.shownTheme = theme && plainReader(em, Theme)(theme);
  await loadRest(em, [customer]);
  return lockedAt(customer, { frozenAt, advance, hasCadences, systemNow });
}

/**
 * Locks several customers in id order, their clocks first, with as many statements as for one. Ids that the account does not have are left
 * out.
 */
export async function lockSeveralCustomers(
  em: EntityManager,
  key: { accountId: number; ids: readonly number[] },
  systemNow: SystemNow,
): Promise<CustomerLock[]> {
  if (key.ids.length === 0) return [];
  const ids = `{${key.ids.join()}}`;
  const rows = await em.execute(
    `with clock as (
       select id, frozen_at, case status when 'advancing' then advances end as advance from test_clock where account_id = ?
       and id in (select test_clock_id from customer where account_id = ? and id = any(?::int[])) order by id for share
     )
     select c.*, clock.frozen_at as clock_frozen_at, clock.advance as clock_advance, ${HAS_CADENCES}, ${SHOWN_THEME}
     from customer c left join clock on clock.id = c.test_clock_id
     where c.account_id = ? and c.id = any(?::int[]) order by c.id for no key update of c`,
    [key.accountId, key.accountId, ids, key.accountId, ids],
  );
  const locked = rows.map(({ clock_frozen_at: frozenAt, clock_advance: advance, ...others }) => {
    const { has_cadences: hasCadences, shown_theme: theme, ...columns } = others;
    const customer = em.map(Customer, columns);
    customer.shownTheme = theme && plainReader(em, Theme)(theme);
    return lockedAt(customer, { frozenAt, advance, hasCadences, systemNow });
  });
  const customers = locked.map(({ customer }) => customer);
  await loadRest(em, customers);
  return locked;
}

function lockedAt(
  customer: Customer,
  at: { frozenAt: string; advance: number | null; hasCadences: boolean; systemNow: SystemNow },
): CustomerLock {
  const { advance, hasCadences, systemNow } = at;
  const clockId = customer.testClock?.id ?? null;
  return { customer, now: clockId === null ? systemNow : new Date(at.frozenAt), clockId, advance, hasCadences };
}

/** Loads default payment sources, and tax rates (also archived ones) in each customer's order. */
async function loadRest(em: EntityManager, customers: Customer[]): Promise<void> {
  const paying = customers.filter(({ defaultSource }) => defaultSource);
  if (paying.length > 0) await em.populate(paying, ['defaultSource']);
  const [first] = customers;
  const ids = [...new Set(customers.flatMap(({ taxRateIds }) => taxRateIds))];
  const rates = first && ids.length > 0 ? await em.find(TaxRate, { accountId: first.accountId, id: { $in: ids } }) : [];
  for (const customer of customers)
    customer.taxRates = customer.taxRateIds.flatMap((id) => rates.find((rate) => rate.id === id) ?? []);
}

/**
 * Locks an account and reads it anew. `share` keeps its values until the commit. `no key update`, for changing them, waits for all commands
 * that rely on them.
 */
export async function lockAccount(
  em: EntityManager,
  id: number,
  strength: 'share' | 'no key update',
): Promise<Account | null> {
  const [account] = await refreshBy(em, Account, {
    sql: `select * from account where id = ? for ${strength}`,
    values: [id],
  });
  return account ?? null;
}

/**
 * Locks a test clock; null if the account has no such clock. `share` keeps its time from moving. `no key update`, for moving it, waits for
 * all commands on its customers.
 */
export async function lockTestClock(
  em: EntityManager,
  key: { accountId: number; id: number },
  strength: 'share' | 'no key update',
): Promise<TestClock | null> {
  const [clock] = await refreshBy(em, TestClock, {
    sql: `select * from test_clock where account_id = ? and id = ? for ${strength}`,
    values: [key.accountId, key.id],
  });
  return clock ?? null;
}

/** Id of the customer that owns an object, for locking the customer first. Null if the account has no such object. */
export async function customerIdOf(
  em: EntityManager,
  table: CustomerTable,
  key: { accountId: number; id: number },
): Promise<number | null> {
  const [row] = await em.execute(`select customer_id from ${table} where account_id = ? and id = ?`, [
    key.accountId,
    key.id,
  ]);
  return row?.customer_id ?? null;
}

/** Id of the customer that owns a draft. Null if the account has no such draft. */
export async function draftOwnerOf(
  em: EntityManager,
  table: DocumentTable,
  key: { accountId: number; id: number },
): Promise<number | null> {
  const [row] = await em.execute(
    `select customer_id from ${table} where account_id = ? and id = ? and issued_at is null`,
    [key.accountId, key.id],
  );
  return row?.customer_id ?? null;
}

interface TenantRow {
  accountId: number;
  id: number;
}

/** Locks rows of one table in id order and reads them anew. Callers keep the lock order of `docs/writing.md`. */
export async function lockRows<Row extends TenantRow>(
  em: EntityManager,
  entity: EntityClass<Row>,
  key: { accountId: number; ids: number[] },
): Promise<Row[]> {
  if (key.ids.length === 0) return [];
  await em.sendWrites(); // the rows read replace loaded entities, and unwritten changes would be lost
  const table = em.getMetadata().get(entity).tableName;
  const { sql, values } = hasId(key.ids);
  return refreshBy(em, entity, {
    sql: `select * from "${table}" where account_id = ? and ${sql} order by id for no key update`,
    values: [key.accountId, ...values],
  });
}

/** Locks one row. Null if the account has no such row. */
export async function lockRow<Row extends TenantRow>(
  em: EntityManager,
  entity: EntityClass<Row>,
  key: { accountId: number; id: number },
): Promise<Row | null> {
  const [row] = await lockRows(em, entity, { accountId: key.accountId, ids: [key.id] });
  return row ?? null;
}

/** Locks the number of these in an account until the end of the transaction, so that callers can count them before they add one. */
export async function lockCountOf(
  em: EntityManager,
  what:
    | 'webhook'
    | 'oauth_application'
    | 'api_key'
    | 'member'
    | 'person'
    | 'merchant_account'
    | 'late_fee_schedule'
    | 'chasing_cadence'
    | 'gl_account'
    | 'email_template'
    | 'sms_template'
    | 'theme'
    | 'pdf_template'
    | 'custom_field'
    | 'job'
    | 'payment_link'
    | 'sign_up_page'
    | 'report_schedule'
    | 'saved_view',
  accountId: number,
): Promise<void> {
  await em.execute('select pg_advisory_xact_lock(hashtextextended(?, ?))', [what, accountId]);
}

/**
 * Lets nothing be posted to the ledger of an account until the end of the transaction, after what other transactions have posted is
 * committed. A trigger of `ledger_entry` takes the same lock, shared.
 */
export async function lockBooks(em: EntityManager, accountId: number): Promise<void> {
  await em.execute(`select pg_advisory_xact_lock(hashtextextended('books', ?))`, [accountId]);
}
