import type { Money } from '../../../billing/money.ts';
import { amountAsked, installmentStates } from '../../../billing/planProgress.ts';
import { Customer } from '../../../db/schema/customer.ts';
import type { Opened } from './address.ts';

/** The payment plan of an invoice as its pages show it. */
export interface ShownPlan {
  installments: ReturnType<typeof installmentStates>;
  /** The amount that is asked for now. */
  asked: Money;
  hasMissed: boolean;
}

/** Reads the payment plan that collects an invoice, at the customer's time. Null: there is none. */
export async function shownPlan({ em, account, printable }: Opened, systemNow: Date): Promise<ShownPlan | null> {
  const { plan, invoice } = printable.paying ?? {};
  if (!invoice || plan?.status !== 'active') return null;
  const of = { accountId: account.id, id: invoice.customer.id };
  const customer = await em.findOneOrFail(Customer, of, { populate: ['testClock'] });
  const now = (customer.testClock?.frozenAt ?? systemNow).getTime();
  const at = { now, zone: invoice.timeZone };
  const installments = installmentStates(plan.installments, at);
  const hasMissed = installments.some(({ state }) => state === 'missed');
  return { installments, asked: amountAsked(plan.installments, at), hasMissed };
}
