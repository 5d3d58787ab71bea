import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { PaymentSourceType, SourceMethod } from '../../../billing/payments/paymentMethods.ts';
import type { GatewayOperation } from '../../../commands/ports/ports.ts';
import type { Queryable } from './database.ts';
import { type Decline, readToken } from './instruments.ts';

export type OperationStatus = 'unconfirmed' | 'succeeded' | 'pending' | 'failed' | 'abandoned';

/** A row of test_gateway.operation. */
export interface OperationRow {
  reference: string;
  account_id: string;
  customer_id: string;
  kind: GatewayOperation['kind'];
  source_type: PaymentSourceType | null;
  /** Null for a stored source, and for an unknown token: only tokens of test numbers are stored. */
  token: string | null;
  source_reference: string | null;
  vault: boolean;
  /** Decimal text; null: the operation moves no money. */
  amount: string | null;
  currency: string | null;
  /** The charge that a refund gives money back of. */
  charge_reference: string | null;
  /** The amounts that a verification names, as `comparable` writes them. */
  amounts: string | null;
  status: OperationStatus;
  /** Whether the confirmation got lost on its way. Confirming it again then changes nothing and gets no answer. */
  lost: boolean;
  decline_kind: Decline['kind'] | null;
  decline_code: string | null;
  decline_message: string | null;
  /** The page to which the payer comes back from a challenge. Null: no payer waits for the answer. */
  return_url: string | null;
  /** The challenge of the payer: not answered yet, passed or failed. Null: there was none. */
  challenge: 'open' | 'passed' | 'failed' | null;
  prepared_at: Date;
}

/** The result of confirming an operation. */
export interface OperationResult {
  status: 'succeeded' | 'pending' | 'failed';
  captured: 0 | 1;
  sourceReference: string | null;
  decline: Decline | null;
  endsAt: Date | null;
  endsAs: 'succeeded' | 'failed' | null;
  disputedLater: boolean;
}

export function newReference(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}

const insertSql = `
  insert into test_gateway.operation (key, reference, account_id, customer_id, kind, source_type, token,
    source_reference, vault, amount, currency, description, charge_reference, amounts, return_url, prepared_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
  on conflict (key) do nothing
  returning reference`;

/** Writes the operation once per key and returns its reference. `at`: epoch milliseconds. */
export async function insertOperation(db: Queryable, operation: GatewayOperation, at: number): Promise<string> {
  const { key, accountId, customerId, kind } = operation;
  const charge = kind === 'refund' ? operation.reference : null;
  const amounts = kind === 'verify_source' ? comparable(operation.amounts) : null;
  const returnUrl = 'payer' in operation ? (operation.payer?.returnUrl ?? null) : null;
  const details = [...detailsOf(operation), charge, amounts, returnUrl];
  const values = [key, newReference('tgo'), accountId, customerId, kind, ...details, new Date(at)];
  const inserted = await db.query<{ reference: string }>(insertSql, values);
  const row = inserted.rows[0] ?? (await findByKey(db, key));
  if (!row) throw new Error('The record of the test gateway has lost an operation');
  return row.reference;
}

async function findByKey(db: Queryable, key: string) {
  const sql = 'select reference from test_gateway.operation where key = $1';
  return (await db.query<{ reference: string }>(sql, [key])).rows[0];
}

/** The values of source_type, token, source_reference, vault, amount, currency and description. */
function detailsOf(operation: GatewayOperation): unknown[] {
  if (operation.kind === 'delete_source')
    return [operation.sourceType, null, operation.reference, false, null, null, null];
  if (operation.kind === 'verify_source') return ['bank_account', null, operation.reference, false, null, null, null];
  if (operation.kind === 'refund') return [null, null, null, false, operation.amount, operation.currency, null];
  const { instrument } = operation;
  const type = operation.kind === 'vault' ? typeOfMethod(operation.method) : undefined;
  const token = 'token' in instrument && readToken(instrument.token, type) ? instrument.token : null;
  const reference = 'reference' in instrument ? instrument.reference : null;
  if (operation.kind === 'vault') return [type, token, reference, true, null, null, null];
  const { vault, amount, currency, description } = operation;
  return [null, token, reference, vault, amount, currency, description];
}

/** Amounts as one text, whatever their order and decimals. */
export function comparable(amounts: readonly string[]): string {
  return amounts
    .map((amount) => Number(amount).toFixed(2))
    .toSorted()
    .join(' ');
}

function typeOfMethod(method: SourceMethod): PaymentSourceType {
  return method === 'credit_card' ? 'card' : 'bank_account';
}

/** Finds an operation; undefined if there is none. `lock` locks it until the transaction ends. */
export async function findOperation(db: Queryable, reference: string, lock?: 'for update') {
  const sql = `select * from test_gateway.operation where reference = $1 ${lock ?? ''}`;
  return (await db.query<OperationRow>(sql, [reference])).rows[0];
}

const resultSql = `
  update test_gateway.operation set status = $2, captured = captured + $3, source_reference = coalesce($4, source_reference),
    decline_kind = $5, decline_code = $6, decline_message = $7, settles_at = $8, settles_as = $9, disputed_later = $10
  where reference = $1
  returning *`;

/** Writes the result of an operation. `captured` is added up, so that the record would show a second capture. */
export async function writeResult(db: Queryable, reference: string, to: OperationResult): Promise<OperationRow> {
  const { kind = null, code = null, message = null } = to.decline ?? {};
  const ending = [to.endsAt, to.endsAs, to.disputedLater];
  const values = [reference, to.status, to.captured, to.sourceReference, kind, code, message, ...ending];
  const row = (await db.query<OperationRow>(resultSql, values)).rows[0];
  if (!row) throw new Error(`The test gateway lost ${reference}`);
  return row;
}

const endDueSql = `
  update test_gateway.operation set status = settles_as,
    captured = captured + case when settles_as = 'succeeded' then 1 else 0 end
  where reference = $1 and status = 'pending' and settles_at <= $2`;

/** Ends a pending debit or refund that is due by `at`. */
export async function endDue(db: Queryable, reference: string, at: number): Promise<void> {
  await db.query(endDueSql, [reference, new Date(at)]);
}

export async function markLost(db: Queryable, reference: string): Promise<void> {
  await db.query('update test_gateway.operation set lost = true where reference = $1', [reference]);
}

/**
 * Marks an operation as abandoned that is unconfirmed or waits for its payer. Waits for a concurrent confirmation, because it locks the row.
 */
export async function markAbandoned(db: Queryable, reference: string): Promise<void> {
  const sql = `update test_gateway.operation set status = 'abandoned'
    where reference = $1 and (status = 'unconfirmed' or (status = 'pending' and challenge = 'open'))`;
  await db.query(sql, [reference]);
}

/** Lets an operation wait for its payer. */
export async function markChallenged(db: Queryable, reference: string): Promise<OperationRow> {
  const sql = `update test_gateway.operation set status = 'pending', challenge = 'open' where reference = $1 returning *`;
  const row = (await db.query<OperationRow>(sql, [reference])).rows[0];
  if (!row) throw new Error(`The test gateway lost ${reference}`);
  return row;
}

/** A charge in the gateway's own record. `captured`: how often the money was taken. More than once is a double charge. */
export interface TestGatewayCharge {
  key: string;
  reference: string;
  accountId: number;
  customerId: number;
  amount: string;
  currency: string;
  status: OperationStatus;
  captured: number;
  disputedLater: boolean;
}

const refundableSql = `
  select amount >= $2::numeric + coalesce((select sum(r.amount) from test_gateway.operation r
    where r.charge_reference = c.reference and r.status in ('succeeded', 'pending')), 0) as enough
  from test_gateway.operation c where reference = $1`;

/** Whether a charge has this amount left. Its row is locked. */
export async function hasLeft(db: Queryable, charge: string, amount: string): Promise<boolean> {
  const [row] = (await db.query<{ enough: boolean }>(refundableSql, [charge, amount])).rows;
  return row?.enough ?? false;
}

const chargesSql = `
  select key, reference, account_id::float8 as "accountId", customer_id::float8 as "customerId", amount::text, currency,
    status, captured, disputed_later as "disputedLater"
  from test_gateway.operation where kind = 'charge' order by id`;

/** Every charge that was ever prepared, oldest first, for tests that compare the record with our books. */
export async function readTestGatewayRecord(database: pg.Pool | string): Promise<TestGatewayCharge[]> {
  if (typeof database !== 'string') return (await database.query<TestGatewayCharge>(chargesSql)).rows;
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  try {
    return (await client.query<TestGatewayCharge>(chargesSql)).rows;
  } finally {
    await client.end();
  }
}
