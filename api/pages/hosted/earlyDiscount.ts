import { earlyAmount } from '../../../billing/earlyDiscount.ts';
import type { Money } from '../../../billing/money.ts';
import { Customer } from '../../../db/schema/customer.ts';
import { earlyDiscountInWords } from '../../../present/printed/earlyDiscount.ts';
import type { Opened } from './address.ts';

/** The early-payment discount of an invoice as the page that pays it shows it. */
export interface EarlyOffer {
  words: string;
  /** The amount to pay if the customer uses the discount. Null: the balance, because the discount is already subtracted from it. */
  amount: Money | null;
}

/** Reads the early-payment discount that lasts at the customer's time. Null: there is none. */
export async function earlyOffer({ em, account, printable }: Opened, systemNow: Date): Promise<EarlyOffer | null> {
  const { early, document, owed, pen } = printable.paying ?? {};
  if (!early || !document || !owed || !pen) return null;
  const of = { accountId: account.id, id: document.customer.id };
  const customer = await em.findOneOrFail(Customer, of, { populate: ['testClock'] });
  const now = (customer.testClock?.frozenAt ?? systemNow).getTime();
  if (now >= early.endsAt) return null;
  return { words: earlyDiscountInWords(early, owed, pen), amount: earlyAmount(early, owed, now) };
}
