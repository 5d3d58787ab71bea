import { randomUUID } from 'node:crypto';
import type Stripe from 'stripe';
import { openStripe, type StripeAccess } from '../../../adapters/gateways/stripe/client.ts';
import { createStripeGateway, type StripeGateway } from '../../../adapters/gateways/stripe/gateway.ts';
import type { GatewayOperation } from '../../../commands/ports/ports.ts';

const HELP = `Usage: STRIPE_SECRET_KEY=sk_test_… npm run stripe:live-test

Charges and refunds test cards at Stripe itself, with a test key of yours. No money moves. Live keys are refused.
The developers of this version had no key: nobody has run this test for it. Please tell them what it prints.`;

const PERMISSION = /^(sk|rk)_test_\w+$/;
/** Milliseconds that a step may take. */
const LIMIT = 30_000;

type Print = (line: string) => void;

/** Runs the test with the key of the environment. Returns the exit code. */
export async function run(environment: NodeJS.ProcessEnv, print: Print): Promise<number> {
  const secretKey = environment.STRIPE_SECRET_KEY ?? '';
  if (!PERMISSION.test(secretKey)) {
    if (secretKey) print('STRIPE_SECRET_KEY is not a test key of Stripe: it has to begin with sk_test_ or rk_test_.\n');
    print(HELP);
    return 1;
  }
  return liveTest({ secretKey }, print);
}

interface Step {
  does: string;
  /** The status that Stripe should answer. */
  wants: string;
  answers: () => Promise<string>;
}

/** Takes the steps in order, and prints each with Stripe's answer. Returns the exit code: 1 at the first other answer than wanted. */
export async function liveTest(access: StripeAccess, print: Print): Promise<number> {
  print(`${HELP.split('\n').slice(-1)[0]}\n`);
  const gateway = createStripeGateway({
    home: 'https://billing.example',
    ...access,
    webhookSecret: 'whsec_unused',
    deployment: 'live-test',
  });
  for (const { does, wants, answers } of stepsOf(gateway, openStripe(access))) {
    const answer = await answers().catch(
      (error: unknown) => `error: ${error instanceof Error ? error.message : error}`,
    );
    print(`${answer === wants ? 'ok  ' : 'FAIL'} ${does}: ${answer}${answer === wants ? '' : `, wanted ${wants}`}`);
    if (answer !== wants) return 1;
  }
  print('\nStripe answered as the adapter expects.');
  return 0;
}

function stepsOf(gateway: StripeGateway, stripe: Stripe): Step[] {
  const startedAt = new Date();
  const references = { source: '', charge: '', refund: '' };
  const signal = () => AbortSignal.timeout(LIMIT);
  const owner = () => ({ key: randomUUID(), accountId: 1, customerId: 1 });
  const prepared = async (operation: GatewayOperation) => (await gateway.prepare(operation, 0, signal())).reference;
  const confirmed = (reference: string) => gateway.confirm(reference, 0, signal());
  const look = async (reference: string) => (await gateway.look(reference, 0, signal())).status;
  const charge = (instrument: { token: string } | { reference: string }): GatewayOperation => {
    const money = { amount: '12.50', currency: 'usd', description: 'Test of the Stripe adapter' };
    return { ...owner(), ...money, kind: 'charge', instrument, vault: false };
  };
  const card = { token: 'pm_card_visa' };
  const declined = { token: 'pm_card_visa_chargeDeclined' };
  /** A token as Stripe's fields in a browser make it: for a payment, or to store the card. */
  const fieldsToken = async (usage: { setup_future_usage?: 'off_session' }) => {
    const made = await stripe.testHelpers.confirmationTokens.create({ payment_method: card.token, ...usage });
    return { token: made.id };
  };
  const chargeFields = async () => (await confirmed(await prepared(charge(await fieldsToken({}))))).status;
  const storeFields = async () => {
    const instrument = await fieldsToken({ setup_future_usage: 'off_session' });
    const operation = { ...owner(), kind: 'vault', instrument, method: 'credit_card' } as const;
    return (await confirmed(await prepared(operation))).status;
  };
  const store = async () => {
    const operation = { ...owner(), kind: 'vault', instrument: card, method: 'credit_card' } as const;
    const outcome = await confirmed(await prepared(operation));
    if ('source' in outcome) references.source = outcome.source?.reference ?? '';
    return outcome.status;
  };
  const createCharge = async () => {
    references.charge = await prepared(charge({ reference: references.source }));
    return look(references.charge);
  };
  const createRefund = async () => {
    const { charge: reference } = references;
    references.refund = await prepared({ ...owner(), kind: 'refund', reference, amount: '5.00', currency: 'usd' });
    return look(references.refund);
  };
  const decline = async () => {
    const outcome = await confirmed(await prepared(charge(declined)));
    return outcome.status === 'failed' ? `${outcome.kind}, ${outcome.code}` : outcome.status;
  };
  const abandon = async () => {
    const reference = await prepared(charge(card));
    await gateway.abandon(reference, signal());
    return look(reference);
  };
  const list = async () => {
    const range = { since: new Date(startedAt.getTime() - 60_000), until: new Date('9999-01-01'), after: null };
    const { records } = (await gateway.list?.(range, signal())) ?? { records: [] };
    const ours = records.filter(({ reference }) => [references.charge, references.refund].includes(reference));
    return ours.map(({ kind, amount }) => `${kind} ${amount}`).join(', ');
  };
  const remove = async () => {
    const { source: reference } = references;
    const operation = { ...owner(), kind: 'delete_source', reference, sourceType: 'card' } as const;
    return (await confirmed(await prepared(operation))).status;
  };
  return [
    { does: 'store a card', wants: 'succeeded', answers: store },
    { does: 'charge a card from the fields of a page', wants: 'succeeded', answers: chargeFields },
    { does: 'store a card from the fields of a page', wants: 'succeeded', answers: storeFields },
    { does: 'create a charge of 12.50 usd', wants: 'unconfirmed', answers: createCharge },
    { does: 'confirm it', wants: 'succeeded', answers: async () => (await confirmed(references.charge)).status },
    { does: 'look at it', wants: 'succeeded', answers: () => look(references.charge) },
    { does: 'prepare a refund of 5.00 usd', wants: 'unconfirmed', answers: createRefund },
    { does: 'refund', wants: 'succeeded', answers: async () => (await confirmed(references.refund)).status },
    { does: 'look at the refund', wants: 'succeeded', answers: () => look(references.refund) },
    { does: 'charge a card that is declined', wants: 'soft, generic_decline', answers: decline },
    { does: 'abandon a charge', wants: 'abandoned', answers: abandon },
    { does: 'list', wants: 'charge 12.50, refund 5.00', answers: list },
    { does: 'delete the card', wants: 'succeeded', answers: remove },
  ];
}
