import { compare, exactProduct } from '../../../billing/money/money.ts';
import { Refusal } from '../../../billing/refusal.ts';
import type { EntityManager } from '../../../db/orm.ts';
import {
  insertUsage,
  planThresholds,
  type RecordAnswer,
  type RecordedUsage,
  type ReportedUsage,
  type UsageFault,
} from '../../../db/queries/usage/recording.ts';
import type { Caller } from '../../kernel/caller.ts';
import { isSameSecond } from '../../kernel/changes.ts';
import { Missing } from '../../kernel/missing.ts';

export interface UsageReports {
  caller: Caller;
  /** The subscription. */
  id: number;
  reports: readonly ReportedUsage[];
}

/**
 * The answer to one report: its record, or why it was refused. `isNew`: false if an earlier report with its key recorded it. `mayBeBilled`:
 * whether a bill may have taken it.
 */
export type UsageAnswer = { record: RecordedUsage; isNew: boolean; mayBeBilled: boolean } | { refusal: Refusal };

/**
 * Records usage in one statement without a lock. Null: a report needs the lock of the subscription (`recordLocked`), because it is a
 * correction or the subscription has ended; nothing is recorded then. Throws Missing.
 */
export async function recordUsage(
  em: EntityManager,
  asked: UsageReports,
  systemNow: Date,
): Promise<UsageAnswer[] | null> {
  const { caller, id } = asked;
  if (asked.reports.some(({ quantity }) => quantity.startsWith('-'))) return null;
  const { judged: answers, hasThresholds } = await recordedOrFault(em, asked, { isLocked: false, systemNow });
  if (hasThresholds && answers.some((answer) => 'record' in answer && answer.isNew))
    await planThresholds(em, { accountId: caller.account.id, subscriptionId: id }, systemNow);
  return answers.some((answer) => 'fault' in answer && answer.fault === 'ended')
    ? null
    : answered(answers, asked, false);
}

type Judged = { record: RecordedUsage; isNew: boolean } | { fault: UsageFault };

/** Records usage. A key that another transaction has just recorded is read again. */
export async function recordedOrFault(
  em: EntityManager,
  { caller, id, reports }: UsageReports,
  { isLocked, systemNow }: { isLocked: boolean; systemNow: Date },
): Promise<{ judged: Judged[]; hasThresholds: boolean }> {
  const key = { accountId: caller.account.id, subscriptionId: id, isLocked, systemNow };
  const judge = async () => {
    const recorded = await insertUsage(em, key, reports);
    if (!recorded) throw new Missing('Subscription', id);
    return recorded;
  };
  const { answers: first, hasThresholds } = await judge();
  const answers = first.every(isKnown) ? first : withRecords(first, (await judge()).answers);
  const seen = new Set<number>();
  const judged = answers.map(({ record, fault, isNew }): Judged => {
    if (!record) return { fault: fault ?? 'no_rate' };
    const isFirst = !seen.has(record.id);
    seen.add(record.id);
    return { record, isNew: isNew && isFirst };
  });
  return { judged, hasThresholds };
}

function isKnown({ record, fault }: RecordAnswer): boolean {
  return record !== null || fault !== null;
}

/** The answers of a second statement. Records of the first one stay new, although the second one finds them. */
function withRecords(first: readonly RecordAnswer[], second: readonly RecordAnswer[]): RecordAnswer[] {
  return second.map((answer, index) => ({ ...answer, isNew: answer.isNew || (first[index]?.isNew ?? false) }));
}

/** The answers to reports. Refuses those that were not recorded, and a key that has another record. */
export function answered(judged: readonly Judged[], { id, reports }: UsageReports, hasEnded: boolean): UsageAnswer[] {
  return judged.map((one, index) => {
    const report = reports[index];
    if (!report) throw new Error('fewer reports than answers');
    if ('fault' in one) return { refusal: refusalOf(one.fault, report, id) };
    const other = otherRecord(one.record, report);
    return other ? { refusal: other } : { ...one, mayBeBilled: hasEnded || !one.isNew };
  });
}

/** Refuses a key that was used for other usage; null: the usage is the same. A report without a time has the time of the record. */
function otherRecord(record: RecordedUsage, { quantity, addonId, usedAt }: ReportedUsage): Refusal | null {
  const isSame =
    compare(record.quantity, quantity) === 0 &&
    record.addonId === addonId &&
    (usedAt === null || isSameSecond(usedAt, record.usedAt));
  if (isSame) return null;
  const which = `${exactProduct(record.quantity, '1')} units at ${Math.floor(record.usedAt.getTime() / 1000)}`;
  return new Refusal(
    'idempotency_mismatch',
    `Key was used for other usage: ${which}, record ${record.id}`,
    'idempotency_key',
  );
}

function refusalOf(fault: UsageFault, { addonId }: ReportedUsage, id: number): Refusal {
  const component = addonId === null ? `The plan of subscription ${id}` : `Add-on ${addonId} of subscription ${id}`;
  switch (fault) {
    case 'no_component':
      if (addonId === null) return new Refusal('parameter_invalid', `${component} does not bill usage`, 'addon');
      return new Refusal('resource_missing', `Metered add-on was not found: ${addonId}`, 'addon');
    case 'ahead':
      return new Refusal(
        'parameter_invalid',
        'Timestamp must not be more than a minute in the future, and that of a correction not at all',
        'timestamp',
      );
    case 'no_rate':
      return new Refusal(
        'state_conflict',
        `${component} did not bill usage at this time: it had not begun, or it had ended`,
        'timestamp',
      );
    case 'ended':
      throw new Error('usage of an ended subscription is recorded under its lock');
  }
}
