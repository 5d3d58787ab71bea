import { invalid, missing } from './fault.ts';
import { objectIn, type Params, textIn } from './form.ts';
import { useMethod } from './methods.ts';
import type { Intent, StoredMethod, World } from './world.ts';

/** The payment method that a confirmation names. A debit of a bank account needs a mandate. */
export function methodToConfirm(world: World, intent: Intent, params: Params): StoredMethod {
  const token = textIn(params, 'confirmation_token');
  const id = textIn(params, 'payment_method') ?? intent.payment_method ?? tokenMethod(token);
  if (token && intent.object === 'payment_intent') checkUsage(intent, token);
  if (token && /^ctoken_(expired|used)_/.test(token)) throw invalid('The ConfirmationToken cannot be used any more.');
  const stored = useMethod(world, id, intent.customer);
  const allowed = Object.values(Object(intent.allowed_payment_method_types));
  if (!allowed.includes(stored.method.type))
    throw invalid('The PaymentMethod is not allowed.', { code: 'payment_intent_incompatible_payment_method' });
  const acceptance = objectIn(objectIn(params, 'mandate_data'), 'customer_acceptance');
  if (stored.method.type !== 'card' && !token && !acceptance && !stored.hasMandate)
    throw invalid('The payment method needs mandate_data.', { code: 'payment_intent_mandate_invalid' });
  stored.hasMandate = true;
  return stored;
}

/** Fields that store a card make tokens for payments that store it, and other fields for other payments. */
function checkUsage({ setup_future_usage: expected }: Intent, token: string): void {
  const provided = usageOfToken(token);
  if (provided === (expected ?? null)) return;
  const shown = `The provided setup_future_usage (${provided}) does not match the expected one (${expected ?? null}).`;
  throw invalid(shown, { param: 'confirmation_token' });
}

/** `ctoken_saved_card_visa` comes from fields that store the card. */
export const usageOfToken = (token: string): 'off_session' | null =>
  /^ctoken_(expired_|used_)?saved_/.test(token) ? 'off_session' : null;

/** The payment method of a ConfirmationToken: `ctoken_card_visa` and `ctoken_saved_card_visa` stand for `pm_card_visa`. */
export function tokenMethod(token: string | null): string {
  if (!token?.startsWith('ctoken_')) throw missing('ConfirmationToken', token ?? '');
  return token.replace(/^ctoken_(expired_|used_)?(saved_)?/, 'pm_');
}

/**
 * `expires_at`: "Time at which this ConfirmationToken expires and can no longer be used to confirm". `payment_intent`: "ID of the PaymentIntent that
 * this ConfirmationToken was used to confirm" (https://docs.stripe.com/api/confirmation_tokens/object). `ctoken_expired_…` and `ctoken_used_…` are so.
 */
export const lifeOfToken = (world: World, token: string) => ({
  expires_at: world.now() + (token.startsWith('ctoken_expired_') ? -1 : 12 * 3600),
  payment_intent: token.startsWith('ctoken_used_') ? 'pi_other' : null,
  setup_intent: null,
});

export const unexpected = (intent: Intent, what: string) =>
  invalid(`You cannot ${what} this intent because it has a status of ${intent.status}.`, {
    code: `${intent.object}_unexpected_state`,
    [intent.object]: { ...intent },
  });

/** The next action of an intent that waits for the customer's authentication. */
export const challengeOf = (params: Params) => ({
  type: 'redirect_to_url',
  redirect_to_url: { url: 'https://hooks.stripe.test/3d_secure', return_url: textIn(params, 'return_url') },
});

const deposits = { microdeposit_type: 'amounts', hosted_verification_url: 'https://payments.stripe.test/microdeposit' };

/** The next action of an intent that waits for the verification of its bank account. */
export const toVerify = { type: 'verify_with_microdeposits', verify_with_microdeposits: deposits };
