import { challengeOf, methodToConfirm, toVerify, unexpected } from './confirming.ts';
import { openDispute } from './disputes.ts';
import { declined, invalid } from './fault.ts';
import { type Params, textIn, textsIn } from './form.ts';
import { found, nameCustomer, type PaymentIntent, type StoredMethod, tell, type World } from './world.ts';

const SMALLEST: Readonly<Record<string, number>> = { usd: 50, eur: 50, jpy: 50 };

export function createPayment(world: World, params: Params): PaymentIntent {
  const currency = textIn(params, 'currency') ?? '';
  const amount = Number(textIn(params, 'amount'));
  if (amount < (SMALLEST[currency] ?? 1))
    throw invalid('Amount must be at least 50 cents.', { code: 'amount_too_small' });
  const customer = textIn(params, 'customer');
  if (customer) nameCustomer(world, customer);
  const intent: PaymentIntent = {
    id: world.newId('pi'),
    object: 'payment_intent',
    status: 'requires_payment_method',
    amount,
    currency,
    customer,
    metadata: textsIn(params, 'metadata'),
    payment_method: null,
    allowed_payment_method_types: Object.values(textsIn(params, 'allowed_payment_method_types')),
    setup_future_usage: textIn(params, 'setup_future_usage'),
    description: textIn(params, 'description'),
    last_payment_error: null,
    next_action: null,
    cancellation_reason: null,
    latest_charge: null,
    created: world.now(),
  };
  world.payments.set(intent.id, intent);
  return textIn(params, 'confirm') === 'true' ? confirmPayment(world, intent, params) : intent;
}

export function confirmPayment(world: World, intent: PaymentIntent, params: Params): PaymentIntent {
  if (!/^requires_(payment_method|confirmation)$/.test(intent.status)) throw unexpected(intent, 'confirm');
  const stored = methodToConfirm(world, intent, params);
  intent.payment_method = stored.method.id;
  const { charge, isUnverified } = stored.behaviour;
  if (isUnverified) return challenge(world, intent, { params, action: toVerify });
  if (charge === 'process') return processing(world, intent, stored);
  if (typeof charge === 'object' && stored.method.type !== 'card') return processing(world, intent, stored);
  if (typeof charge === 'object') throw fail(world, intent, charge);
  if (charge === 'challenge') return challenge(world, intent, { params, action: challengeOf(params) });
  return succeed(world, intent);
}

function processing(world: World, intent: PaymentIntent, stored: StoredMethod): PaymentIntent {
  keep(intent, stored);
  intent.status = 'processing';
  tell(world, 'payment_intent.processing', intent);
  return intent;
}

/** Ends a debit that is being processed. */
export function endProcessing(world: World, id: string): PaymentIntent {
  const intent = found(world.payments, id, 'payment_intent');
  if (intent.status !== 'processing') throw unexpected(intent, 'end');
  const { behaviour } = found(world.methods, intent.payment_method, 'PaymentMethod');
  if (typeof behaviour.charge !== 'object') return succeed(world, intent);
  fail(world, intent, behaviour.charge);
  return intent;
}

function challenge(
  world: World,
  intent: PaymentIntent,
  { params, action }: { params: Params; action: Record<string, unknown> },
): PaymentIntent {
  if (textIn(params, 'off_session') === 'true')
    throw fail(world, intent, { code: 'authentication_required', decline_code: 'authentication_required' });
  intent.status = 'requires_action';
  intent.next_action = action;
  tell(world, 'payment_intent.requires_action', intent);
  return intent;
}

/** The customer answers the bank's challenge. */
export function answerChallenge(world: World, id: string, isPassed: boolean): void {
  const intent = found(world.payments, id, 'payment_intent');
  if (intent.status !== 'requires_action') throw unexpected(intent, 'authenticate');
  intent.next_action = null;
  const stored = found(world.methods, intent.payment_method, 'PaymentMethod');
  if (isPassed && stored.behaviour.charge === 'process') processing(world, intent, stored);
  else if (isPassed) succeed(world, intent);
  else fail(world, intent, { code: 'payment_intent_authentication_failure' });
}

function succeed(world: World, intent: PaymentIntent): PaymentIntent {
  const stored = found(world.methods, intent.payment_method, 'PaymentMethod');
  keep(intent, stored);
  if (!stored.method.customer) stored.isSpent = true;
  intent.status = 'succeeded';
  intent.latest_charge = world.newId('ch');
  world.captures.set(intent.id, (world.captures.get(intent.id) ?? 0) + 1);
  world.charges.set(intent.latest_charge, {
    id: intent.latest_charge,
    object: 'charge',
    amount: intent.amount,
    amount_refunded: 0,
    currency: intent.currency,
    payment_intent: intent.id,
    payment_method_details: { type: stored.method.type },
    disputed: false,
  });
  tell(world, 'payment_intent.succeeded', intent);
  if (stored.behaviour.charge === 'dispute') openDispute(world, intent.id);
  return intent;
}

function keep(intent: PaymentIntent, { method }: StoredMethod): void {
  if (intent.setup_future_usage === 'off_session') method.customer = intent.customer;
}

function fail(
  world: World,
  intent: PaymentIntent,
  error: { code: string; decline_code?: string; advice_code?: string },
) {
  const { method } = found(world.methods, intent.payment_method, 'PaymentMethod');
  const code = error.decline_code ?? error.code;
  const fault = { type: 'card_error', message: `Declined: ${code}.`, ...error, payment_method: method };
  intent.last_payment_error = fault;
  Object.assign(intent, { status: 'requires_payment_method', payment_method: null });
  tell(world, 'payment_intent.payment_failed', intent);
  return declined(fault, { payment_intent: { ...intent } });
}

const CANCELLABLE = ['requires_payment_method', 'requires_confirmation', 'requires_action', 'requires_capture'];

export function cancelPayment(world: World, intent: PaymentIntent, params: Params): PaymentIntent {
  if (!CANCELLABLE.includes(intent.status)) throw unexpected(intent, 'cancel');
  Object.assign(intent, { status: 'canceled', cancellation_reason: textIn(params, 'cancellation_reason') });
  tell(world, 'payment_intent.canceled', intent);
  return intent;
}
