import { add, isPositive, type Money, minimum, subtract, zero } from '../money/money.ts';
import { endOfDay, localDay } from '../time/calendar.ts';

export const paymentPlanStatuses = ['pending_signup', 'active', 'finished', 'canceled'] as const;
export type PaymentPlanStatus = (typeof paymentPlanStatuses)[number];

/** A part of an invoice's balance with its own date, epoch milliseconds. `balance`: the unpaid part of its amount. */
export interface Installment {
  id: number;
  date: number;
  amount: Money;
  balance: Money;
}

/** The approval of a plan by its customer. */
export interface PlanApproval {
  id: number;
  initials: string;
  ip: string;
  userAgent: string | null;
  /** Epoch milliseconds in the customer's time. */
  at: number;
  /** The text that the customer agreed to, as it was shown, and its language. */
  text: string;
  language: string;
}

/** The facts about a payment plan that decide how its invoice is collected. */
export interface CollectedPlan {
  id: number;
  status: PaymentPlanStatus;
  installments: Installment[];
  /** Id of the installment that is collected now; null: none was yet. */
  currentId?: number | null | undefined;
  /** The invoice's attempts before the schedule of the current installment began. */
  attemptsBefore: number;
  /** Secret part of the address where its customer approves it; null: no approval is asked for. */
  approvalToken?: string | null | undefined;
  approval?: PlanApproval | null | undefined;
}

/** Whether a plan waits for the approval of its customer. Until then, AutoPay collects nothing of its invoice. */
export function awaitsApproval({
  status,
  approvalToken,
  approval,
}: Pick<CollectedPlan, 'status' | 'approvalToken' | 'approval'>): boolean {
  return status === 'pending_signup' && Boolean(approvalToken) && !approval;
}

/**
 * signed_up: it is approved if that is asked for, and AutoPay has a payment source. paid, owed: the invoice is, or is again. replaced: its
 * unpaid installments changed.
 */
export type PaymentPlanInput = 'signed_up' | 'replaced' | 'paid' | 'owed' | 'canceled';

/** The status after each input; absent: the plan does not take it. */
export const paymentPlanMoves: Readonly<
  Record<PaymentPlanStatus, Partial<Record<PaymentPlanInput, PaymentPlanStatus>>>
> = {
  pending_signup: {
    signed_up: 'active',
    replaced: 'pending_signup',
    owed: 'pending_signup',
    paid: 'finished',
    canceled: 'canceled',
  },
  active: { signed_up: 'active', replaced: 'active', owed: 'active', paid: 'finished', canceled: 'canceled' },
  finished: { paid: 'finished', owed: 'active' },
  canceled: {},
};

/**
 * The status of a plan after its invoice's balance has changed. A finished plan whose money is taken back becomes active again. A plan that
 * had never begun waits again.
 */
export function statusAfterBalance(
  { status, currentId }: Pick<CollectedPlan, 'status' | 'currentId'>,
  isPaid: boolean,
): PaymentPlanStatus {
  const next = paymentPlanMoves[status][isPaid ? 'paid' : 'owed'] ?? status;
  const hasBegun = (currentId ?? null) !== null;
  return next === 'active' && !hasBegun ? 'pending_signup' : next;
}

/** Whether a plan can still be changed or canceled: something is owed of it. */
export function isRunning({ status }: Pick<CollectedPlan, 'status'>): boolean {
  return paymentPlanMoves[status].canceled !== undefined;
}

export const LEAST_INSTALLMENTS = 2;
export const MOST_INSTALLMENTS = 100;

/**
 * Fills installments in their order with what is paid of their sum, so that their balances add up to what is owed. If more is owed than
 * their sum, the last one grows.
 */
export function fillInstallments(installments: readonly Installment[], owed: Money): Installment[] {
  const total = add('0', ...installments.map(({ amount }) => amount));
  const missing = subtract(owed, total);
  const grown = installments.map((one, index) =>
    index === installments.length - 1 && isPositive(missing) ? { ...one, amount: add(one.amount, missing) } : one,
  );
  let paid = isPositive(missing) ? '0' : subtract(total, owed);
  return grown.map((one) => {
    const part = minimum(one.amount, paid);
    paid = subtract(paid, part);
    return { ...one, balance: subtract(one.amount, part) };
  });
}

/** Adds a late fee to the last installment. */
export function addToLast(installments: readonly Installment[], fee: Money): Installment[] {
  return installments.map((one, index) =>
    index < installments.length - 1 ? one : { ...one, amount: add(one.amount, fee), balance: add(one.balance, fee) },
  );
}

/** A part of an installment that was written off. `id` and `date` are those of the installment, which may be gone. */
export type WrittenOffPart = Pick<Installment, 'id' | 'date' | 'amount'>;

interface PlanParts {
  installments: readonly Installment[];
  writtenOff: readonly WrittenOffPart[];
}

/** Takes a written-off amount from the last installments, at most what is owed of each. Those of which nothing is left are gone. */
export function takeFromLast({ installments, writtenOff }: PlanParts, amount: Money): PlanParts {
  let left = amount;
  const lost = new Map(writtenOff.map((one) => [one.id, one]));
  const kept = installments.toReversed().map((one) => {
    const part = minimum(one.balance, left);
    left = subtract(left, part);
    if (isPositive(part))
      lost.set(one.id, { id: one.id, date: one.date, amount: add(lost.get(one.id)?.amount ?? '0', part) });
    return { ...one, amount: subtract(one.amount, part), balance: subtract(one.balance, part) };
  });
  const isWhole = kept.every((one) => !isPositive(one.amount));
  return {
    installments: kept.toReversed().filter((one) => isWhole || isPositive(one.amount)),
    writtenOff: [...lost.values()].toSorted((one, other) => one.date - other.date),
  };
}

/** Gives a written-off amount back to the installments that lost it, the earliest first: those behind them are still written off. */
export function giveBack({ installments, writtenOff }: PlanParts, amount: Money): PlanParts {
  let left = amount;
  let given = [...installments];
  const rest = writtenOff.flatMap((one) => {
    const part = minimum(one.amount, left);
    left = subtract(left, part);
    if (isPositive(part)) given = withPart(given, { ...one, amount: part });
    const still = subtract(one.amount, part);
    return isPositive(still) ? [{ ...one, amount: still }] : [];
  });
  return { installments: isPositive(left) ? addToLast(given, left) : given, writtenOff: rest };
}

/** Adds a part to its installment, which comes back at its date if it is gone. */
function withPart(installments: readonly Installment[], { id, date, amount }: WrittenOffPart): Installment[] {
  if (!installments.some((one) => one.id === id)) {
    const later = installments.findIndex((one) => one.date > date);
    return installments.toSpliced(later < 0 ? installments.length : later, 0, { id, date, amount, balance: amount });
  }
  return installments.map((one) =>
    one.id === id ? { ...one, amount: add(one.amount, amount), balance: add(one.balance, amount) } : one,
  );
}

/** The amount that is owed of the installments whose day has ended in a zone. */
export function missedOf(installments: readonly Installment[], { now, zone }: { now: number; zone: string }): Money {
  const missed = installments.filter(({ date }) => endOfDay(localDay(date, zone), zone) <= now);
  return add('0', ...missed.map(({ balance }) => balance));
}

/** The installments of which something is paid, each with its paid part as its amount. */
export function paidInstallments(installments: readonly Installment[], currency: string): Installment[] {
  return installments
    .map((one) => ({ ...one, amount: subtract(one.amount, one.balance), balance: zero(currency) }))
    .filter(({ amount }) => isPositive(amount));
}

/** The first installment of which something is owed; null: all are paid. */
export function nextInstallment(installments: readonly Installment[]): Installment | null {
  return installments.find(({ balance }) => isPositive(balance)) ?? null;
}

/** The first unpaid installment after a time: AutoPay goes on with it when it has stopped for an earlier one. Null: there is none. */
export function installmentAfter(installments: readonly Installment[], after: number): Installment | null {
  return installments.find(({ balance, date }) => isPositive(balance) && date > after) ?? null;
}

/** What to charge for an invoice: the next installment of its active plan, else its whole balance. */
export function amountToCollect(balance: Money, plan: CollectedPlan | null): Money {
  const next = plan?.status === 'active' ? nextInstallment(plan.installments) : null;
  return next?.balance ?? balance;
}
