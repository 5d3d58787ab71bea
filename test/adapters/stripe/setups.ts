import { challengeOf, methodToConfirm, toVerify, unexpected } from './confirming.ts';
import { declined, Fault } from './fault.ts';
import { objectIn, type Params, textIn, textsIn } from './form.ts';
import { found, type Intent, nameCustomer, type StoredMethod, tell, type World } from './world.ts';

export function createSetup(world: World, params: Params): Intent {
  const customer = textIn(params, 'customer');
  if (customer) nameCustomer(world, customer);
  const intent: Intent = {
    id: world.newId('seti'),
    object: 'setup_intent',
    status: 'requires_payment_method',
    customer,
    metadata: textsIn(params, 'metadata'),
    payment_method: null,
    allowed_payment_method_types: Object.values(textsIn(params, 'allowed_payment_method_types')),
    usage: textIn(params, 'usage'),
    last_setup_error: null,
    next_action: null,
    cancellation_reason: null,
    created: world.now(),
  };
  world.setups.set(intent.id, intent);
  return intent;
}

export function confirmSetup(world: World, intent: Intent, params: Params): Intent {
  if (!/^requires_(payment_method|confirmation)$/.test(intent.status)) throw unexpected(intent, 'confirm');
  const stored = methodToConfirm(world, intent, params);
  intent.payment_method = stored.method.id;
  const { charge, isUnverified } = stored.behaviour;
  if (isUnverified) return wait(world, intent, toVerify);
  if (charge === 'challenge') return wait(world, intent, challengeOf(params));
  if (typeof charge === 'object' && stored.method.type === 'card') throw fail(world, intent, charge);
  return succeed(world, intent, stored);
}

function wait(world: World, intent: Intent, action: Record<string, unknown>): Intent {
  Object.assign(intent, { status: 'requires_action', next_action: action });
  tell(world, 'setup_intent.requires_action', intent);
  return intent;
}

function succeed(world: World, intent: Intent, stored: StoredMethod): Intent {
  stored.method.customer = intent.customer;
  Object.assign(intent, { status: 'succeeded', next_action: null });
  tell(world, 'setup_intent.succeeded', intent);
  return intent;
}

function fail(world: World, intent: Intent, error: { code: string; decline_code?: string }) {
  const { method } = found(world.methods, intent.payment_method, 'PaymentMethod');
  const fault = { type: 'card_error', message: `Declined: ${error.decline_code}.`, ...error, payment_method: method };
  intent.last_setup_error = fault;
  Object.assign(intent, { status: 'requires_payment_method', payment_method: null });
  tell(world, 'setup_intent.setup_failed', intent);
  return declined(fault, { setup_intent: { ...intent } });
}

/** Ends the challenge of a SetupIntent. */
export function answerSetupChallenge(world: World, id: string, isPassed: boolean): void {
  const intent = found(world.setups, id, 'setup_intent');
  if (intent.status !== 'requires_action') throw unexpected(intent, 'authenticate');
  const stored = found(world.methods, intent.payment_method, 'PaymentMethod');
  if (isPassed) succeed(world, intent, stored);
  else fail(world, intent, { code: 'setup_intent_authentication_failure' });
}

const DEPOSITED = ['32', '45'];
const MOST_TRIES = 10;

export function verifySetup(world: World, intent: Intent, params: Params): Intent {
  const action = Object(intent.next_action);
  if (action.type !== 'verify_with_microdeposits') throw unexpected(intent, 'verify microdeposits of');
  const tries = Number(intent.tries ?? 0) + 1;
  intent.tries = tries;
  if (tries > MOST_TRIES) throw wrong('payment_method_microdeposit_verification_attempts_exceeded');
  const amounts = Object.values(objectIn(params, 'amounts') ?? {});
  if (amounts.join() !== DEPOSITED.join()) throw wrong('payment_method_microdeposit_verification_amounts_mismatch');
  return succeed(world, intent, found(world.methods, intent.payment_method, 'PaymentMethod'));
}

const wrong = (code: string) =>
  new Fault(400, { type: 'invalid_request_error', code, message: 'The amounts do not match.' }, { isKept: true });

export function cancelSetup(world: World, intent: Intent, params: Params): Intent {
  if (!/^requires_/.test(intent.status)) throw unexpected(intent, 'cancel');
  Object.assign(intent, { status: 'canceled', cancellation_reason: textIn(params, 'cancellation_reason') });
  tell(world, 'setup_intent.canceled', intent);
  return intent;
}
