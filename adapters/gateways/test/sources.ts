import type { PaymentSourceType } from '../../../billing/payments/paymentMethods.ts';
import type { VaultedSource } from '../../../commands/ports/ports.ts';
import type { Queryable } from './database.ts';
import { readToken, type TestInstrument } from './instruments.ts';
import { newReference, type OperationRow } from './record.ts';

/** A row of test_gateway.source. `position`: index of the current step of its script. */
export interface SourceRow {
  reference: string;
  account_id: string;
  customer_reference: string;
  type: PaymentSourceType;
  token: string;
  position: number;
  expires_in: number;
  deleted: boolean;
  verified: boolean;
  wrong_tries: number;
}

export interface NewSource {
  accountId: string;
  customerId: string;
  token: string;
  type: PaymentSourceType;
  position: number;
  at: number;
}

const insertSql = `
  insert into test_gateway.source (reference, account_id, customer_reference, type, token, position, expires_in)
  values ($1, $2, $3, $4, $5, $6, $7)`;

/** Stores a source and returns its reference. A card expires in December, three years after `at`. */
export async function storeSource(db: Queryable, source: NewSource): Promise<string> {
  const { accountId, customerId, type, token, position, at } = source;
  const reference = newReference(type === 'card' ? 'tgcard' : 'tgbank');
  const expiresIn = new Date(at).getUTCFullYear() + 3;
  const customerReference = `tgcust_${accountId}_${customerId}`;
  await db.query(insertSql, [reference, accountId, customerReference, type, token, position, expiresIn]);
  return reference;
}

/** Finds a source; undefined if there is none. `lock` locks it until the transaction ends. */
export async function findSource(db: Queryable, reference: string, lock?: 'for update') {
  const sql = `select * from test_gateway.source where reference = $1 ${lock ?? ''}`;
  return (await db.query<SourceRow>(sql, [reference])).rows[0];
}

/** The stored source that an operation used or created. Null for a deletion, and for a token that was not stored. */
export async function sourceOf(
  db: Queryable,
  operation: Pick<OperationRow, 'kind' | 'account_id' | 'source_reference'>,
): Promise<SourceRow | null> {
  if (operation.kind === 'delete_source' || !operation.source_reference) return null;
  const source = await findSource(db, operation.source_reference);
  return source?.account_id === operation.account_id ? source : null;
}

export async function moveScript(db: Queryable, reference: string, position: number): Promise<void> {
  await db.query('update test_gateway.source set position = $2 where reference = $1', [reference, position]);
}

/** Whether a bank account can be debited: its number is known, or its micro-deposits were named. */
export function isVerified(source: SourceRow): boolean {
  return instrumentOf(source).isKnown || source.verified;
}

/** Records a try to verify a bank account. */
export async function markTried(db: Queryable, reference: string, isRight: boolean): Promise<void> {
  const change = isRight ? 'verified = true' : 'wrong_tries = wrong_tries + 1';
  await db.query(`update test_gateway.source set ${change} where reference = $1`, [reference]);
}

export async function deleteSource(db: Queryable, reference: string, accountId: string): Promise<void> {
  const sql = 'update test_gateway.source set deleted = true where reference = $1 and account_id = $2';
  await db.query(sql, [reference, accountId]);
}

export function instrumentOf(source: SourceRow): TestInstrument {
  const instrument = readToken(source.token, source.type);
  if (!instrument) throw new Error(`The test gateway no longer knows what ${source.reference} was made from`);
  return instrument;
}

/** The source as the gateway returns it. */
export function presentSource(source: SourceRow): VaultedSource {
  const { type, last4, brand, funding, bankName, routingNumber } = instrumentOf(source);
  const isCard = type === 'card';
  return {
    type,
    reference: source.reference,
    customerReference: source.customer_reference,
    last4,
    brand,
    expMonth: isCard ? 12 : null,
    expYear: isCard ? source.expires_in : null,
    funding,
    bankName,
    routingNumber,
    verified: isCard ? null : isVerified(source),
    currency: isCard ? null : 'usd',
  };
}
