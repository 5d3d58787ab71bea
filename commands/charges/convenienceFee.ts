import { compare, type Money, roundMoney, subtract, zero } from '../../billing/money/money.ts';
import { type FeeRate, feeOf, feeRate, type PayingCard } from '../../billing/payments/convenienceFee.ts';
import { Refusal } from '../../billing/refusal.ts';
import { setting } from '../../billing/settings.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import type { NamedApplication } from '../payments/applications.ts';
import type { DescribedSource } from '../ports/ports.ts';
import type { AttemptDeps } from './attemptDeps.ts';

/**
 * Asks a gateway what a token stands for. Null: the gateway does not know it, does not tell, or gave no answer. Runs outside any
 * transaction.
 */
export async function describeToken(
  deps: Pick<AttemptDeps, 'gateways' | 'gatewayDeadline' | 'log'>,
  { accountId, gateway, token }: { accountId: number; gateway: string; token: string },
): Promise<DescribedSource | null> {
  try {
    const found = await deps.gateways.find(accountId, gateway);
    return (await found?.describe?.(token, AbortSignal.timeout(deps.gatewayDeadline))) ?? null;
  } catch (error) {
    deps.log.warn({ err: error, gateway }, 'the gateway did not tell what a token stands for');
    return null;
  }
}

/**
 * The convenience fee among the applications of a charge; zero: none. Refuses a fee where the account takes none, of a card that pays none,
 * and above the highest one. `money`: the whole amount that the card gives.
 */
export function feeOfCharge(
  { customer, moment }: LockedCustomer,
  charge: { applications: readonly NamedApplication[]; money: Money; currency: string; card: PayingCard | null },
): Money {
  const { money, currency, card } = charge;
  const application = charge.applications.find(({ type }) => type === 'convenience_fee');
  if (!application) return zero(currency);
  const { account } = moment.caller;
  const rate = feeRate({
    percent: String(setting(account, 'convenience_fee_percent')),
    places: setting(account, 'convenience_fee_places'),
    payer: customer,
    card,
  });
  const { param } = application;
  if ('refused' in rate)
    throw new Refusal('parameter_invalid', `There is no convenience fee: ${rate.refused}`, `${param}[type]`);
  const fee = roundMoney(application.amount, currency);
  refuseAbove({ fee, rest: roundMoney(subtract(money, fee), currency), currency, param }, rate);
  return fee;
}

function refuseAbove(of: { fee: Money; rest: Money; currency: string; param: string }, rate: FeeRate): void {
  const { fee, rest, currency, param } = of;
  const most = feeOf(rest, rate, currency);
  if (compare(fee, most) <= 0) return;
  const message = `The convenience fee of ${fee} is more than ${most}, which is ${rate.percent} % of ${rest}`;
  throw new Refusal('amount_too_large', message, `${param}[amount]`);
}
