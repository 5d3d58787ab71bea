import { amountText, compare, isZero } from '../billing/money/money.ts';
import type { Gateway, GatewayPage, GatewayRecord } from '../commands/ports/ports.ts';
import type { Drift } from '../db/queries/audit/check.ts';
import { BOOKED_START, type Booked, bookedAfter, type Recorded, recordedOf } from '../db/queries/audit/gateway.ts';
import type { Sql } from '../db/queries/kernel/sql.ts';

/** Limits of a comparison. `deadline`: milliseconds of each call. */
export interface ComparedRange {
  since: Date;
  until: Date;
  deadline: number;
}

/** A charge or refund of a gateway, with what the database has of it. */
export interface Compared {
  record: GatewayRecord;
  recorded: Recorded;
}

/**
 * Reads a gateway's record of a range, and what the database has of each charge and refund. Leaves out sandbox customers that the database
 * does not have: they were deleted with their test clock.
 */
export async function* comparedRecords(sql: Sql, gateway: Gateway, range: ComparedRange): AsyncGenerator<Compared> {
  const { since, until, deadline } = range;
  let after: string | null = null;
  do {
    const page: GatewayPage = await gateway.list({ since, until, after }, AbortSignal.timeout(deadline));
    const known = await recordedOf(sql, gateway.name, page.records);
    for (const [index, record] of page.records.entries()) {
      const recorded = known[index];
      if (!recorded) throw new Error('the database answered with fewer rows than it was asked for');
      const isDeleted = recorded.environment === 'sandbox' && !recorded.hasCustomer && recorded.status === null;
      if (!isDeleted) yield { record, recorded };
    }
    after = page.next;
  } while (after !== null);
}

/** Whether the database has lost a charge or refund of a gateway: it has none, or a failed one, and no process looks it up. */
export function isLost({ recorded }: Compared): boolean {
  return (recorded.status === null || recorded.status === 'failed') && !recorded.isLookedUp;
}

/** Whether the database has lost a return or a dispute of a charge that it knows. */
export function hasLostReversals({ record, recorded }: Compared): boolean {
  return !isLost({ record, recorded }) && !recorded.isLookedUp && compare(recorded.takenBack, record.takenBack) !== 0;
}

const FORWARD = 'the books have what the gateway charged or gave back';
const BACKWARD = 'the gateway charged or gave back what the books have';

/** Compares the books with a gateway's record of a range, in both directions. Attempts without an outcome are left out. */
export async function gatewayDrifts(sql: Sql, gateway: Gateway, range: ComparedRange): Promise<Drift[]> {
  const drifts: Drift[] = [];
  const listed = new Set<string>();
  for await (const { record, recorded } of comparedRecords(sql, gateway, range)) {
    listed.add(`${record.accountId} ${record.reference}`);
    const [stored, recomputed] = [storedInWords(recorded), inWords(record)];
    if (recorded.isLookedUp || isSame(record, recorded)) continue;
    drifts.push({ check: FORWARD, accountId: record.accountId, object: objectOf(record), stored, recomputed });
  }
  for await (const booked of bookedRecords(sql, gateway.name, range)) {
    if (listed.has(`${booked.accountId} ${booked.reference}`)) continue;
    // The gateway may have recorded it just outside the range.
    const { status } = await gateway.look(booked.reference, range.until.getTime(), AbortSignal.timeout(range.deadline));
    if (status === 'succeeded') continue;
    const stored = `succeeded: ${amountText(booked.amount, booked.currency)}`;
    const { accountId } = booked;
    drifts.push({ check: BACKWARD, accountId, object: objectOf(booked), stored, recomputed: status });
  }
  return drifts;
}

async function* bookedRecords(sql: Sql, gateway: string, { since, until }: ComparedRange): AsyncGenerator<Booked> {
  let place = BOOKED_START;
  for (;;) {
    const page = await bookedAfter(sql, place, { gateway, since, until });
    const last = page.at(-1);
    if (!last) return;
    yield* page;
    place = last;
  }
}

function isSame(record: GatewayRecord, { status, amount, currency, takenBack }: Recorded): boolean {
  if (amount === null || currency !== record.currency) return false;
  if (compare(takenBack, record.takenBack) !== 0) return false;
  return status === record.status && compare(amount, record.amount) === 0;
}

const objectOf = ({ kind, reference }: { kind: string; reference: string }): string => `${kind} ${reference}`;

const inWords = ({ status, amount, currency, takenBack }: GatewayRecord): string =>
  `${status}: ${amountText(amount, currency)}${takenInWords(takenBack, currency)}`;

const takenInWords = (amount: string, currency: string): string =>
  isZero(amount) ? '' : `, taken back: ${amountText(amount, currency)}`;

function storedInWords({ status, amount, currency, takenBack }: Recorded): string {
  if (status === null || amount === null || currency === null) return 'nothing';
  return `${status}: ${amountText(amount, currency)}${takenInWords(takenBack, currency)}`;
}
