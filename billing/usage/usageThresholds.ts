import { compare } from '../money/money.ts';

/** A quantity of usage of a metered plan in one period that is announced when it is reached. */
export interface UsageThreshold {
  planCode: string;
  /** Decimal text. */
  quantity: string;
}

/** The thresholds of a period that were announced. */
export interface ToldThresholds {
  /** Start of the period, epoch milliseconds. */
  periodStartAt: number;
  thresholds: readonly UsageThreshold[];
}

/** Maximum number of thresholds of a subscription. */
export const MOST_THRESHOLDS = 20;

/** The thresholds that usage has reached and that were not announced in this period. `usage`: decimal text by the code of the plan. */
export function reachedThresholds(
  thresholds: readonly UsageThreshold[],
  {
    usage,
    told,
    periodStartAt,
  }: { usage: ReadonlyMap<string, string>; told: ToldThresholds | null; periodStartAt: number },
): UsageThreshold[] {
  const before = told?.periodStartAt === periodStartAt ? told.thresholds : [];
  return thresholds
    .filter(({ planCode, quantity }) => compare(usage.get(planCode) ?? '0', quantity) >= 0)
    .filter((one) => !before.some((other) => isSame(one, other)));
}

function isSame(one: UsageThreshold, other: UsageThreshold): boolean {
  return one.planCode === other.planCode && compare(one.quantity, other.quantity) === 0;
}
