import { invalid, missing } from './fault.ts';
import { objectIn, type Params, textIn } from './form.ts';
import { type Behaviour, found, type Method, type StoredMethod, tell, type World } from './world.ts';

const plain: Behaviour = { charge: 'succeed', isUnverified: false, refund: 'succeed' };
const bank: Behaviour = { ...plain, charge: 'process' };

const card = { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2034, funding: 'credit' };
const account = { bank_name: 'STRIPE TEST BANK', last4: '6789', routing_number: '110000000' };

const visa = (behaviour: Partial<Behaviour> = {}, more: Partial<typeof card> = {}) =>
  ({ type: 'card', details: { ...card, ...more }, behaviour: { ...plain, ...behaviour } }) as const;
const ach = (behaviour: Partial<Behaviour> = {}) =>
  ({ type: 'us_bank_account', details: account, behaviour: { ...bank, ...behaviour } }) as const;

/** Payment methods that every test account of Stripe has, and some of these tests' own. Each use of one makes a new payment method. */
const TEMPLATES: Readonly<Record<string, { type: string; details: Record<string, unknown>; behaviour: Behaviour }>> = {
  pm_card_visa: visa(),
  pm_card_mastercard: visa({}, { brand: 'mastercard', last4: '4444', funding: 'debit' }),
  pm_card_visa_chargeDeclined: visa({ charge: { code: 'card_declined', decline_code: 'generic_decline' } }),
  pm_card_createDispute: visa({ charge: 'dispute' }, { last4: '0259' }),
  pm_card_authenticationRequired: visa({ charge: 'challenge' }, { last4: '3184' }),
  pm_card_pendingRefund: visa({ refund: 'pend' }, { last4: '7726' }),
  pm_card_refundFail: visa({ refund: 'refuse' }, { last4: '5126' }),
  pm_usBankAccount_success: ach(),
  pm_usBankAccount_unverified: ach({ isUnverified: true }),
  pm_sepaDebit: { type: 'sepa_debit', details: { bank_code: '37040044', last4: '3000' }, behaviour: bank },
  pm_klarna: { type: 'klarna', details: {}, behaviour: plain },
};

/** The payment method that an id stands for: a stored one, or a new one for an id that every test account has. */
export function readMethod(world: World, id: string): StoredMethod {
  const stored = world.methods.get(id);
  if (stored) return stored;
  const template = templateOf(id);
  if (!template) throw missing('PaymentMethod', id);
  const { type, details, behaviour } = template;
  const method: Method = { id, object: 'payment_method', type, customer: null, [type]: { ...details } };
  return { method, behaviour, isSpent: false, hasMandate: false };
}

/** Ids `pm_declines_<code>` are declined with the code, `pm_fails_<code>` are debits that fail with the code. */
function templateOf(id: string) {
  const [, how, code = ''] = /^pm_(declines|fails|advised)_(\w+)$/.exec(id) ?? [];
  if (how === 'declines') return visa({ charge: { code: 'card_declined', decline_code: code } });
  if (how === 'advised')
    return visa({ charge: { code: 'card_declined', decline_code: code, advice_code: 'do_not_try_again' } });
  if (how === 'fails') return ach({ charge: { code } });
  return TEMPLATES[id];
}

/** Creates a bank account. One that no page of Stripe connected is verified by deposits: https://docs.stripe.com/payments/ach-direct-debit. */
export function createMethod(world: World, params: Params): Method {
  const type = textIn(params, 'type') ?? '';
  const template = type === 'us_bank_account' ? 'pm_usBankAccount_unverified' : 'pm_sepaDebit';
  if (!objectIn(params, type) || !textIn(objectIn(params, 'billing_details'), 'name'))
    throw invalid('A bank account needs its numbers and the name of its owner.');
  const { method, ...stored } = readMethod(world, template);
  const created = { ...method, id: world.newId('pm') };
  world.methods.set(created.id, { ...stored, method: created });
  return created;
}

/** The answer, which has no code and names no parameter, as https://github.com/liberapay/liberapay.com/issues/2686 quotes it. */
const USED_UP =
  'The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, shared with a connected account without Customer attachment, or was detached from a Customer. It may not be used again. To use a PaymentMethod multiple times, you must attach it to a Customer first.';

/** The payment method of a confirmation. Refuses one that cannot be used for this customer. */
export function useMethod(world: World, id: string, customer: string | null): StoredMethod {
  const stored = readMethod(world, id);
  if (stored.isSpent) throw invalid(USED_UP);
  const { method } = stored;
  if (method.customer && method.customer !== customer)
    throw invalid('The PaymentMethod belongs to another Customer.', { param: 'payment_method' });
  if (world.methods.has(id)) return stored;
  const named = { ...stored, method: { ...method, id: world.newId('pm') } };
  world.methods.set(named.method.id, named);
  return named;
}

export function detach(world: World, id: string): Method {
  const stored = readMethod(world, id);
  if (!stored.method.customer) throw invalid('The payment method you provided is not attached to a customer.');
  stored.method.customer = null;
  stored.isSpent = true;
  tell(world, 'payment_method.detached', stored.method);
  return stored.method;
}

/** The network replaces a card: "payment_method.automatically_updated occurs when a card's details are automatically updated by the network". */
export function replaceCard(world: World, id: string, card: { last4?: string; exp_month?: number; exp_year?: number }) {
  const { method } = found(world.methods, id, 'PaymentMethod');
  method.card = { ...Object(method.card), ...card };
  tell(world, 'payment_method.automatically_updated', method);
}

/** "Permanently deletes a customer": https://docs.stripe.com/api/customers/delete. Its payment methods can no longer be used. */
export function deleteCustomer(world: World, id: string): void {
  const customer = found(world.customers, id, 'customer');
  world.customers.delete(id);
  world.deleted.add(id);
  for (const stored of world.methods.values())
    if (stored.method.customer === id) Object.assign(stored, { isSpent: true }).method.customer = null;
  tell(world, 'customer.deleted', customer);
}
