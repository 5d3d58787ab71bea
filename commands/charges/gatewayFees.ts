import { add, isPositive, negate, roundMoney, subtract } from '../../billing/money/money.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { ledger } from '../kernel/posting.ts';
import { postMoney } from '../payments/moneyPosting.ts';
import type { PaidCharge } from './paidCharge.ts';

/** Posts the change of a fee that the gateway charged for a dispute or a return. `told` null: the gateway tells no fees. */
export function recordFee(
  em: EntityManager,
  { moment }: LockedCustomer,
  { charge, payment, before, told }: PaidCharge & { before: string; told: string | null },
): void {
  if (told === null) return;
  const { currency, gateway } = charge;
  const change = subtract(roundMoney(told, currency), before);
  const [debit, credit] = isPositive(change)
    ? [ledger.gatewayFees, ledger.clearing(gateway)]
    : [ledger.clearing(gateway), ledger.gatewayFees];
  const amount = isPositive(change) ? change : negate(change);
  postMoney(em, { payment, moment, reason: 'gateway_fee' }, [{ debit, credit, amount: roundMoney(amount, currency) }]);
  charge.gatewayFee = add(charge.gatewayFee, change);
}
