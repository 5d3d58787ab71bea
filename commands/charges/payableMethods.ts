import { type MethodOffer, offeredMethods } from '../../billing/payments/offeredMethods.ts';
import { type SourceMethod, sourceMethods } from '../../billing/payments/paymentMethods.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Account } from '../../db/schema/account.ts';
import type { Customer } from '../../db/schema/customer.ts';
import { methodsOf } from '../accounts/paymentMethods.ts';
import { configurationFor } from './gatewayOfNewSources.ts';

/** An amount that a customer is asked to pay. */
export interface Payable {
  account: Account;
  /** Null: not known yet. */
  customer: Customer | null;
  /** The invoice or estimate that is paid; null: none. */
  document: { disabledPaymentMethods: readonly string[] } | null;
  /** Decimal text. */
  amount: string;
  currency: string;
}

export interface PayableMethod extends MethodOffer {
  /** Configuration of the gateway that takes its tokens, as `test` or `stripe_7`. Null: the method is paid by hand, or no gateway takes it. */
  configuration: string | null;
}

/**
 * The methods that a page offers for an amount, in the order to show them. `terms.instructions` is the account's text for the payer.
 * A page shows a method that has an `obstacle`, with the reason and the bound (`terms.min`, `terms.max`), but lets nobody pay with it. The
 * page mounts the fields of `configuration` for cards and bank accounts. Other methods (check, wire transfer) have only their instructions.
 *
 * Reads without locks. Ask again, with the amount that is then due, in the transaction that starts the attempt: `payableWith`.
 */
export function payableMethods(em: EntityManager, payable: Payable): Promise<PayableMethod[]> {
  return offersOf(em, payable, sourceMethods);
}

/** The methods that a page shows. Looks up gateways for the methods in `charged` only. */
async function offersOf(
  em: EntityManager,
  payable: Payable,
  charged: readonly SourceMethod[],
): Promise<PayableMethod[]> {
  const { account, customer, document, amount, currency } = payable;
  const configurations = new Map<string, string>();
  for (const method of charged) {
    const configuration = await configurationFor(em, { account, customer }, { method, currency, isTestToken: false });
    if (configuration) configurations.set(method, configuration);
  }
  const disabled = [...(customer?.disabledPaymentMethods ?? []), ...(document?.disabledPaymentMethods ?? [])];
  const chargeable = [...configurations.keys()];
  return offeredMethods(await methodsOf(em, account), { amount, currency, disabled, chargeable }).map((offer) => ({
    ...offer,
    configuration: configurations.get(offer.terms.method) ?? null,
  }));
}

/** The offer of one method of charges for an amount. Null: the page may not offer it. A page refuses an offer that has an `obstacle`. */
export async function payableWith(
  em: EntityManager,
  payable: Payable,
  method: SourceMethod,
): Promise<PayableMethod | null> {
  const offers = await offersOf(em, payable, [method]);
  return offers.find(({ terms }) => terms.method === method) ?? null;
}
