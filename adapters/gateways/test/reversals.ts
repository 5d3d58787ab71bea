import { proportion } from '../../../billing/money/money.ts';
import type { GatewayDispute, GatewayReturn, GatewayReversals } from '../../../commands/ports/ports.ts';
import type { Queryable } from './database.ts';
import { type DisputeEnd, type ReturnCode, readToken } from './instruments.ts';
import { newReference, type OperationRow } from './record.ts';
import { instrumentOf, type SourceRow } from './sources.ts';

/** Fees of the gateway, in the currency of the charge. */
const DISPUTE_FEE = '15';
const RETURN_FEE = '4';

const DAY_MILLISECONDS = 86_400_000;
/** Days of the customer's time for the evidence of a dispute. Then the dispute ends. */
const EVIDENCE_DAYS = 7;

const RETURNS: Readonly<Record<ReturnCode, Pick<GatewayReturn, 'kind' | 'message'>>> = {
  insufficient_funds: { kind: 'soft', message: 'The bank account had insufficient funds.' },
  account_closed: { kind: 'hard', message: 'The bank account is closed.' },
  debit_not_authorized: { kind: 'hard', message: 'The account holder did not allow the debit.' },
};

/** A time after a charge. `at`: the customer's time, epoch milliseconds; `delay`: milliseconds of real time. */
interface After {
  at: number;
  delay: number;
}

/**
 * Plans the return or dispute that follows a charge that has just succeeded, if its card or bank account has one. `source`: the stored source
 * that was charged; null: a token.
 */
export async function planReversals(
  db: Queryable,
  { operation, source }: { operation: OperationRow; source: SourceRow | null },
  { at, delay }: After,
): Promise<void> {
  if (operation.kind !== 'charge' || operation.status !== 'succeeded') return;
  const instrument = source ? instrumentOf(source) : readToken(operation.token ?? '');
  if (instrument?.dispute) await openDispute(db, operation, { at, delay, end: instrument.dispute });
  if (instrument?.returned) await returnDebit(db, operation, { delay, code: instrument.returned });
}

/** Opens a dispute of a charge after a delay, and sends its event. It ends by itself as `end`. */
export async function openDispute(
  db: Queryable,
  { reference, account_id: accountId, amount, currency }: OperationRow,
  { at, delay, end }: After & { end: DisputeEnd },
): Promise<string> {
  const dispute = newReference('tgd');
  const lost =
    end === 'partial' ? proportion(amount ?? '0', { numerator: 1, denominator: 2 }, currency ?? 'usd') : amount;
  await db.query(
    `insert into test_gateway.dispute (reference, charge_reference, amount, amount_lost, reason, fee, opens_at, evidence_due_at, closes_as)
     values ($1, $2, $3, $4, 'fraudulent', ${DISPUTE_FEE}, now() + $5 * interval '1 millisecond', $6, $7)`,
    [dispute, reference, amount, lost, delay, new Date(at + EVIDENCE_DAYS * DAY_MILLISECONDS), end],
  );
  await planEvent(db, { id: `evt_${dispute}`, accountId, type: 'dispute.opened', reference, delay });
  return dispute;
}

/** Returns a debit after a delay, and sends its event. */
export async function returnDebit(
  db: Queryable,
  { reference, account_id: accountId }: OperationRow,
  { delay, code }: { delay: number; code: ReturnCode },
): Promise<void> {
  await db.query(
    `update test_gateway.operation set returned_at = now() + $2 * interval '1 millisecond', return_code = $3 where reference = $1`,
    [reference, delay, code],
  );
  await planEvent(db, { id: `evt_${reference}_returned`, accountId, type: 'charge.returned', reference, delay });
}

interface PlannedEvent {
  id: string;
  accountId: string;
  type: string;
  /** The operation that it is about. */
  reference: string;
  delay: number;
}

/** Sends the event of an operation that has just ended. */
export async function tellEnded(db: Queryable, { reference, account_id: accountId }: OperationRow): Promise<void> {
  await planEvent(db, { id: `evt_${reference}_ended`, accountId, type: 'operation.ended', reference, delay: 0 });
}

async function planEvent(db: Queryable, { id, accountId, type, reference, delay }: PlannedEvent): Promise<void> {
  await db.query(
    `insert into test_gateway.event (id, account_id, type, reference, due_at)
     values ($1, $2, $3, $4, now() + $5 * interval '1 millisecond') on conflict (id) do nothing`,
    [id, accountId, type, reference, delay],
  );
}

/** SQL: ends the open disputes of a charge whose evidence was due by a time of the customer. */
const endSql = `
  update test_gateway.dispute set status = case closes_as when 'partial' then 'lost' else closes_as end
  where charge_reference = $1 and status = 'open' and evidence_due_at <= $2 and opens_at <= now()`;

interface DisputeRow {
  reference: string;
  status: GatewayDispute['status'];
  amount: string;
  amount_lost: string;
  reason: string;
  fee: string;
  evidence_due_at: Date;
}

/** Reads the return and the disputes of a charge. Ends disputes whose evidence was due by `at`, the customer's time. */
export async function readReversals(db: Queryable, reference: string, at: number): Promise<GatewayReversals> {
  await db.query(endSql, [reference, new Date(at)]);
  const disputes = await db.query<DisputeRow>(
    'select * from test_gateway.dispute where charge_reference = $1 and opens_at <= now() order by opens_at, reference',
    [reference],
  );
  const returned = await db.query<{ code: ReturnCode }>(
    'select return_code as code from test_gateway.operation where reference = $1 and returned_at <= now()',
    [reference],
  );
  const [first] = returned.rows;
  return {
    disputes: disputes.rows.map(presentDispute),
    returned: first ? { ...RETURNS[first.code], code: first.code, fee: RETURN_FEE } : null,
  };
}

function presentDispute(row: DisputeRow): GatewayDispute {
  const { reference, status, amount, reason } = row;
  const isKept = status === 'open' || status === 'lost';
  const amountLost = status === 'lost' ? row.amount_lost : '0';
  return {
    reference,
    status,
    amount,
    amountLost,
    reason,
    evidenceDueAt: row.evidence_due_at,
    fee: isKept ? row.fee : '0',
  };
}

/** Whether a bank holds or has taken back money of a charge. */
export async function isTakenBack(db: Queryable, reference: string): Promise<boolean> {
  const { rows } = await db.query(
    `select 1 from test_gateway.operation where reference = $1 and returned_at <= now()
     union all
     select 1 from test_gateway.dispute where charge_reference = $1 and status in ('open', 'lost') and opens_at <= now()`,
    [reference],
  );
  return rows.length > 0;
}
