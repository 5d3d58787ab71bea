import type Stripe from 'stripe';
import type { PaymentSourceType } from '../../../billing/payments/paymentMethods.ts';
import type { DescribedSource, GatewayInstrument, VaultedSource } from '../../../commands/ports/ports.ts';
import type { Call } from './client.ts';
import { isMissing } from './errors.ts';

/** Kinds of payment methods that the adapter takes, by their names at Stripe. */
const TYPES = { card: 'card', us_bank_account: 'bank_account', sepa_debit: 'bank_account' } as const;
export type MethodType = keyof typeof TYPES;

const isMethodType = (type: string): type is MethodType => type in TYPES;

export const sourceTypeOf = (type: MethodType): PaymentSourceType => TYPES[type];

/** An instrument that can be charged or stored. `customer`: the customer at Stripe that owns a stored source; null: it is not stored. */
export interface Instrument {
  /** Id of a PaymentMethod or of a ConfirmationToken. */
  id: string;
  type: MethodType;
  customer: string | null;
}

/** The codes of instruments that cannot be used. */
export type InstrumentFault = 'invalid_token' | 'source_deleted' | 'method_unsupported';

/** Looks an instrument up. A token must not stand for a source that is stored already, and a stored source must not be deleted. */
export async function findInstrument(call: Call, instrument: GatewayInstrument): Promise<Instrument | InstrumentFault> {
  if ('reference' in instrument) {
    const stored = await findMethod(call, instrument.reference);
    if (!stored?.customer) return 'source_deleted';
    return isMethodType(stored.type) ? { ...stored, type: stored.type } : 'method_unsupported';
  }
  const found = await findToken(call, instrument.token);
  if (!found || found.customer) return 'invalid_token';
  return isMethodType(found.type) ? { ...found, type: found.type } : 'method_unsupported';
}

type Found = Omit<Instrument, 'type'> & { type: string };

async function findToken(call: Call, token: string): Promise<Found | null> {
  if (/^pm_\w+$/.test(token)) return findMethod(call, token);
  if (!/^ctoken_\w+$/.test(token)) return null;
  const found = await orNull(call((stripe) => stripe.confirmationTokens.retrieve(token)));
  const preview = found && isUsable(found) ? found.payment_method_preview : null;
  return preview ? { id: token, type: preview.type, customer: idOf(preview.customer) } : null;
}

/** Whether a token is neither expired nor used: https://docs.stripe.com/api/confirmation_tokens/object. */
function isUsable({
  expires_at: expiresAt,
  payment_intent: payment,
  setup_intent: setup,
}: Stripe.ConfirmationToken): boolean {
  return !payment && !setup && (expiresAt === null || expiresAt * 1000 > Date.now());
}

/** The card or bank account behind a token. Null: Stripe does not know the token, or the adapter does not take it. */
export async function describeToken(call: Call, token: string): Promise<DescribedSource | null> {
  const method = await methodBehind(call, token);
  if (!method || method.customer || !isMethodType(method.type)) return null;
  const { card, us_bank_account: ach, sepa_debit: sepa } = method;
  const type = sourceTypeOf(method.type);
  if (!card) return { type, brand: null, funding: null, last4: (ach ?? sepa)?.last4 ?? '' };
  const { brand, funding, last4 } = cardFacts(card);
  return { type, brand, funding, last4 };
}

type Behind = Pick<Stripe.PaymentMethod, 'type' | 'customer' | 'card' | 'us_bank_account' | 'sepa_debit'>;

async function methodBehind(call: Call, token: string): Promise<Behind | null> {
  if (/^pm_\w+$/.test(token)) return orNull(call((stripe) => stripe.paymentMethods.retrieve(token)));
  if (!/^ctoken_\w+$/.test(token)) return null;
  const found = await orNull(call((stripe) => stripe.confirmationTokens.retrieve(token)));
  return found?.payment_method_preview ?? null;
}

async function findMethod(call: Call, id: string): Promise<Found | null> {
  const method = await orNull(call((stripe) => stripe.paymentMethods.retrieve(id)));
  return method ? { id, type: method.type, customer: idOf(method.customer) } : null;
}

/** A stored payment method as it is now. Null: it belongs to no customer any more, and can never be charged. */
export async function readSource(call: Call, reference: string): Promise<VaultedSource | null> {
  const method = await orNull(call((stripe) => stripe.paymentMethods.retrieve(reference)));
  return method?.customer ? presentSource(method, { customer: null, isVerified: true }) : null;
}

/** The answer; null if Stripe does not know the object. */
export async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  return answer.catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
}

/** The id of an object that an answer has as id or in full. */
export function idOf(object: string | { id: string } | null | undefined): string | null {
  return typeof object === 'string' ? object : (object?.id ?? null);
}

const BRANDS: Readonly<Record<string, string>> = {
  amex: 'American Express',
  cartes_bancaires: 'Cartes Bancaires',
  diners: 'Diners Club',
  discover: 'Discover',
  eftpos_au: 'eftpos Australia',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
};

const FUNDINGS = ['credit', 'debit', 'prepaid'] as const;

/** A payment method as the port shows it. Null: it is of a kind that the adapter does not take. */
export function presentSource(
  method: string | Stripe.PaymentMethod | null | undefined,
  { customer, isVerified }: { customer: string | null; isVerified: boolean },
): VaultedSource | null {
  if (!method || typeof method === 'string' || !isMethodType(method.type)) return null;
  const { id: reference, card, us_bank_account: ach, sepa_debit: sepa } = method;
  const customerReference = idOf(method.customer) ?? customer ?? '';
  const type = sourceTypeOf(method.type);
  const common = { type, reference, customerReference };
  if (card) return { ...common, ...noBank, ...cardFacts(card) };
  const bank = { ...common, brand: null, expMonth: null, expYear: null, funding: null, verified: isVerified };
  const last4 = (ach ?? sepa)?.last4 ?? '';
  if (ach) return { ...bank, last4, bankName: ach.bank_name, routingNumber: ach.routing_number, currency: 'usd' };
  return { ...bank, last4, bankName: null, routingNumber: sepa?.bank_code ?? null, currency: 'eur' };
}

const noBank = { bankName: null, routingNumber: null, verified: null, currency: null };

function cardFacts({ brand, last4, exp_month: expMonth, exp_year: expYear, funding }: Stripe.PaymentMethod.Card) {
  const known: VaultedSource['funding'] = FUNDINGS.find((one) => one === funding) ?? 'unknown';
  return { brand: BRANDS[brand] ?? brand, last4, expMonth, expYear, funding: known };
}
