import type Stripe from 'stripe';
import type { GatewayLook, GatewayOperation, GatewayOutcome } from '../../../commands/ports/ports.ts';
import { abandonedMark, abandonRequest, isAbandoned, throwUnlessUnmade } from './abandoning.ts';
import { unitsOf } from './amounts.ts';
import type { Call } from './client.ts';
import { declineOf } from './declines.ts';
import { isUsedKey, refusalIn } from './errors.ts';
import { type Reference, refusedReference, verificationReference } from './references.ts';
import { orNull } from './sources.ts';

type Wanted = Extract<Reference, { kind: 'verify_source' }>;

/** Finds the SetupIntent of a bank account that waits for its micro-deposits, or that was verified on Stripe's own page. */
export async function prepareVerification(
  call: Call,
  operation: Extract<GatewayOperation, { kind: 'verify_source' }>,
): Promise<string> {
  const units = operation.amounts.map((amount) => unitsOf(amount, 'usd'));
  const amounts = units.filter((one) => typeof one === 'number');
  if (amounts.length !== 2 || units.length !== 2) return refusedReference('amount_unsupported', operation);
  const { reference: method, key } = operation;
  const list = (stripe: Stripe) => stripe.setupIntents.list({ payment_method: method, limit: 100 });
  const setups = (await orNull(call(list)))?.data ?? [];
  const setup = setups.find(isWaiting) ?? setups.find(({ status }) => status === 'succeeded');
  return setup ? verificationReference(setup.id, amounts, key) : refusedReference('verification_unknown', operation);
}

const isWaiting = ({ next_action: action }: Stripe.SetupIntent) => action?.type === 'verify_with_microdeposits';

export async function confirmVerification(call: Call, wanted: Wanted): Promise<GatewayOutcome> {
  const { intent } = wanted;
  const setup = await call((stripe) => stripe.setupIntents.retrieve(intent));
  if (setup.status === 'succeeded') return { status: 'succeeded', source: null };
  const { microdeposit_type: type, hosted_verification_url: page } = setup.next_action?.verify_with_microdeposits ?? {};
  if (type === 'descriptor_code') return failed({ code: 'descriptor_code_needed', message: codeNeeded(page) });
  try {
    await verify(call, wanted);
    return { status: 'succeeded', source: null };
  } catch (error) {
    const refusal = refusalIn(error);
    await throwUnlessUnmade(refusal, () => isMarked(call, wanted));
    return isUsedKey(refusal) ? { status: 'abandoned' } : failed(refusal);
  }
}

function verify(call: Call, wanted: Wanted): Promise<unknown> {
  const { intent, amounts } = wanted;
  const idempotencyKey = keyOf(wanted);
  return call((stripe) => stripe.setupIntents.verifyMicrodeposits(intent, { amounts }, { idempotencyKey }));
}

/** Stripe made one deposit, whose description has a code. The code is entered on a page of Stripe. */
const codeNeeded = (page = 'the page that Stripe names'): string =>
  `Stripe sent one deposit whose description has a code. Its owner enters the code here: ${page}`;

const failed = (fault: Parameters<typeof declineOf>[0]): GatewayOutcome => ({
  status: 'failed',
  ...declineOf(fault),
  source: null,
});

/** A wrong try leaves no trace at Stripe: it looks as if it had not been made. */
export async function lookAtVerification(call: Call, { intent, key }: Wanted): Promise<GatewayLook> {
  const setup = await orNull(call((stripe) => stripe.setupIntents.retrieve(intent)));
  if (!setup) return { status: 'not_found' };
  if (setup.status === 'succeeded') return { status: 'succeeded', source: null };
  return { status: isAbandoned(setup.metadata, key) ? 'abandoned' : 'unconfirmed' };
}

/** Makes sure that the account is not verified by this operation. False: it is verified. Throws while neither is certain. */
export function abandonVerification(call: Call, wanted: Wanted, age: number): Promise<boolean> {
  const params = { metadata: abandonedMark(wanted.key) };
  const idempotencyKey = keyOf(wanted);
  const request = {
    read: async () => ((await lookAtVerification(call, wanted)).status === 'succeeded' ? true : null),
    useKeyUp: () => call((stripe) => stripe.setupIntents.update(wanted.intent, params, { idempotencyKey })),
    isMarked: () => isMarked(call, wanted),
    repeat: () => verify(call, wanted).then(() => true),
  };
  return abandonRequest(request, age);
}

async function isMarked(call: Call, { intent, key }: Wanted): Promise<boolean> {
  return isAbandoned((await call((stripe) => stripe.setupIntents.retrieve(intent))).metadata, key);
}

const keyOf = ({ key }: Wanted): string => `verify-${key}`;
