import { compare } from '../money/money.ts';
import { isSourceMethod, type PaymentMethodId, paymentMethods, sourceMethods } from './paymentMethods.ts';

/** How the pages of an account offer a payment method. */
export interface MethodTerms {
  method: PaymentMethodId;
  enabled: boolean;
  /** Place among the methods, lowest first. Methods with the same place are in their default order. */
  order: number;
  /** Bounds of the amount to pay, inclusive: decimal text in `currency`. Null: none. */
  min: string | null;
  max: string | null;
  /** Currency of the bounds. They do not concern amounts in others. */
  currency: string;
  /** Text for the payer, such as the bank account of a transfer. */
  instructions: string | null;
  /** Code of the general ledger account of its money; null: that of the account's mapping. */
  glAccount: string | null;
}

/** Why a page shows a method, but does not let its reader use it. */
export type OfferObstacle = 'below_min' | 'above_max' | 'no_gateway';

export interface MethodOffer {
  terms: MethodTerms;
  /** Null: the reader may pay with it. */
  obstacle: OfferObstacle | null;
}

/** The order of methods until an account sets another one: those that are charged, then those that are paid by hand. */
const defaultPlaces: readonly PaymentMethodId[] = [
  ...sourceMethods,
  ...paymentMethods.filter((method) => !isSourceMethod(method)),
];

/** Terms of a method that the account has never changed: cards and bank accounts are offered, all others are not. */
export function defaultTerms(method: PaymentMethodId, currency: string): MethodTerms {
  const order = defaultPlaces.indexOf(method) + 1;
  const enabled = isSourceMethod(method);
  return { method, enabled, order, min: null, max: null, currency, instructions: null, glAccount: null };
}

/** Sorts methods as pages show them. */
export function inOrder(terms: readonly MethodTerms[]): MethodTerms[] {
  const place = ({ method }: MethodTerms) => defaultPlaces.indexOf(method);
  return terms.toSorted((one, other) => one.order - other.order || place(one) - place(other));
}

/** An amount to pay, and what limits its payer. */
export interface Offering {
  /** Decimal text. */
  amount: string;
  currency: string;
  /** Methods that the customer or the document excludes. */
  disabled: readonly string[];
  /** The methods of charges for which a gateway takes the currency. */
  chargeable: readonly string[];
}

/**
 * The methods that a page shows for an amount, in their order. Methods that the account, the customer or the document excludes are left out.
 * One that cannot be used for this amount or currency is shown with its obstacle.
 */
export function offeredMethods(terms: readonly MethodTerms[], offering: Offering): MethodOffer[] {
  return inOrder(terms)
    .filter(({ enabled, method }) => enabled && !offering.disabled.includes(method))
    .map((one) => ({ terms: one, obstacle: obstacleOf(one, offering) }));
}

/** Why an amount cannot be paid with a method. Null: it can. */
export function obstacleOf(
  { method, min, max, currency }: MethodTerms,
  offering: Pick<Offering, 'amount' | 'currency' | 'chargeable'>,
): OfferObstacle | null {
  if (isSourceMethod(method) && !offering.chargeable.includes(method)) return 'no_gateway';
  if (currency !== offering.currency) return null;
  if (min !== null && compare(offering.amount, min) < 0) return 'below_min';
  if (max !== null && compare(offering.amount, max) > 0) return 'above_max';
  return null;
}
