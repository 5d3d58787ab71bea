import { counted } from '../../billing/counted.ts';
import type { CouponSnapshot, TaxRateSnapshot } from '../../billing/documents/document.ts';
import { planLines } from '../../billing/documents/pricing.ts';
import { amountText, compare, exactProduct, multiply, roundMoney, sum } from '../../billing/money/money.ts';
import { billAt, firstUncounted } from '../../billing/subscriptions/billIn.ts';
import { pricingOf } from '../../billing/subscriptions/plan.ts';
import type { SubscriptionDiscount } from '../../billing/subscriptions/recurring.ts';
import { isEnded } from '../../billing/subscriptions/subscription.ts';
import { trialOf } from '../../billing/subscriptions/trial.ts';
import { periodAt, type Schedule, shareOfPeriod } from '../../billing/time/periods.ts';
import type { SoldFacts, SubscriptionFacts } from '../../db/queries/events/explanation.ts';
import { namedRate } from './adjustments.ts';
import { columns, zonedTime } from './words.ts';

/** Number of coming periods that are shown. */
const PERIODS = 4;

/** Explains a subscription: the price of a period, and the dates of the next periods, counted from the anchor. */
export function explainSubscription(facts: SubscriptionFacts, id: number): string[] {
  const { interval, intervalCount, currency, timeZone } = facts;
  const each = counted(intervalCount, interval);
  const schedule = {
    anchorAt: facts.anchorAt.getTime(),
    zone: timeZone,
    interval,
    intervalCount,
    snapDay: facts.snapDay,
  };
  const periods = Array.from({ length: PERIODS }, (_, index) => firstUncounted(facts) + index).map((n) => {
    const { startAt, endAt } = periodAt(schedule, n);
    const span = `${zonedTime(new Date(startAt), timeZone)} to ${zonedTime(new Date(endAt), timeZone)}`;
    const rule = facts.snapDay === null ? `anchor + ${n} x ${each}` : snapped(schedule, n);
    return [`period ${n}`, span, `${rule}${billed(facts, schedule, n)}`];
  });
  const cycles = facts.cycles === null ? 'until it is canceled' : `of ${facts.cycles}${renewal(facts)}`;
  const isOver = isEnded(facts.status);
  return [
    `Subscription ${id}: ${facts.status}${facts.paused ? ', paused' : ''}, customer ${facts.customerId} ${facts.customer}, plan ${facts.plan}`,
    `anchor ${zonedTime(facts.anchorAt, timeZone)} (${timeZone}), every ${each}, ${counted(facts.cyclesBilled, 'cycle')} billed ${cycles}`,
    ...(facts.trialEndAt ? [`trial until ${zonedTime(facts.trialEndAt, timeZone)}: nothing is billed before`] : []),
    '',
    'Each period: quantity x price, less discounts, with taxes',
    ...columns([
      ['', 'Price', priceInWords(facts, currency)],
      ...facts.addons.map((addon) => ['', `Add-on ${addon.plan}`, priceInWords(addon, currency)]),
      ...facts.discounts.map(discount),
      ...facts.taxes.map(({ taxRate }) => [
        '',
        `Tax ${namedRate(taxRate)}`,
        `${worth(taxRate)}${taxRate.inclusive ? ', in the price' : ''}`,
      ]),
      ['', 'Each bill', amountText(facts.total, currency)],
      ['', 'A month of it', amountText(facts.mrr, currency)],
    ]),
    ...(isOver ? [] : ['', 'Periods to come', ...columns(periods)]),
  ];
}

/** The price of a plan or an add-on as a sum over its lines. */
function priceInWords(sold: SoldFacts, currency: string): string {
  const quantity = sold.used === null ? String(sold.quantity) : exactProduct(sold.used, '1');
  const lines = planLines(pricingOf(sold, sold.agreed), quantity);
  const amounts = lines.map((line) => multiply(line.quantity, line.unitCost, currency));
  const products = lines.map((line) => `${line.quantity} x ${priceOf(line.unitCost, currency)}`);
  const price = `${products.join(' + ')} = ${sum(amounts, currency)} ${currency}`;
  return sold.used === null ? price : `usage so far: ${price}`;
}

/** The renewal of a contract, after the number of its cycles. */
function renewal({ cycles, renewalMode, renewalCycles, pendingRenewal }: SubscriptionFacts): string {
  if (pendingRenewal) return ', waits for its renewal';
  const next = renewalCycles ?? cycles;
  const words = {
    auto: `, then renewed for ${next}`,
    renew_once: `, then renewed once for ${next}`,
    manual: ', then waits for its renewal',
    none: '',
  };
  return words[renewalMode];
}

/** The time of a period's bill, unless that is its start. */
function billed(facts: SubscriptionFacts, schedule: Schedule, n: number): string {
  const { billIn, advanceDays, anchoredAt, timeZone } = facts;
  if (billIn === 'advance' && advanceDays === 0) return '';
  const terms = { schedule, billIn, advanceDays, anchoredAt: anchoredAt.getTime(), trial: trialOf(facts) };
  return `, billed ${zonedTime(new Date(billAt(terms, n)), timeZone)}`;
}

/** The rule of a period with a snap day. */
function snapped(schedule: Schedule, n: number): string {
  const share = shareOfPeriod(schedule, n);
  const day = `day ${schedule.snapDay} of the ${schedule.interval}`;
  if (!share) return `from ${day}`;
  const [part, whole] = [share.numerator, share.denominator].map((milliseconds) => milliseconds / 1000);
  return `until ${day}: ${part} of ${whole} seconds`;
}

function discount({ coupon, cyclesLeft }: SubscriptionDiscount): string[] {
  const until = cyclesLeft === null ? '' : `, of ${cyclesLeft} more bill${cyclesLeft === 1 ? '' : 's'}`;
  return ['', `Discount ${namedRate(coupon)}`, `${worth(coupon)}${until}`];
}

function worth({ value, is_percent: isPercent, currency }: CouponSnapshot | TaxRateSnapshot): string {
  return isPercent ? `${value} %` : [value, currency].filter(Boolean).join(' ');
}

/** A price with the decimals of its currency, or with more if it has more. */
function priceOf(unitCost: string, currency: string): string {
  const rounded = roundMoney(unitCost, currency);
  return compare(rounded, unitCost) === 0 ? rounded : unitCost.replace(/0+$/, '');
}
