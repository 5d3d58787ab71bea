import { randomUUID } from 'node:crypto';
import type Stripe from 'stripe';
import type { StripeGateway } from '../../../adapters/gateways/stripe/gateway.ts';
import type { SourceMethod } from '../../../billing/payments/paymentMethods.ts';
import type { GatewayInstrument, GatewayOperation, GatewayOutcome } from '../../../commands/ports/ports.ts';

export interface Step {
  does: string;
  /** The status that Stripe should answer. */
  wants: string;
  answers: () => Promise<string>;
}

/** Milliseconds that a step may take. */
const LIMIT = 30_000;
const signal = () => AbortSignal.timeout(LIMIT);
const owner = () => ({ key: randomUUID(), accountId: 1, customerId: 1 });
const payer = { returnUrl: 'https://billing.example/back', ip: '192.0.2.7', userAgent: 'Mozilla/5.0' };
const shown = {
  description: 'Invoice TEST-00001',
  documentNumber: 'TEST-00001',
  customerNumber: 'CUST-00001',
  statementDescriptor: 'PERENNIAL TEST',
};

type Charge = Extract<GatewayOperation, { kind: 'charge' }>;

/** The operations of the adapter, in short. */
function operations(gateway: StripeGateway) {
  const prepared = async (operation: GatewayOperation) => (await gateway.prepare(operation, 0, signal())).reference;
  const confirmed = (reference: string) => gateway.confirm(reference, 0, signal());
  return {
    prepared,
    confirmed,
    look: async (reference: string) => (await gateway.look(reference, 0, signal())).status,
    abandon: async (reference: string) => String(await gateway.abandon(reference, signal())),
    charge: (instrument: GatewayInstrument, more: Partial<Charge> = {}): Charge => {
      const money = { amount: '12.50', currency: 'usd', ...shown };
      return { ...owner(), ...money, kind: 'charge', instrument, vault: false, ...more };
    },
    vault: async (token: string, method: SourceMethod) => {
      const operation = { ...owner(), kind: 'vault', instrument: { token }, method, payer } as const;
      return confirmed(await prepared(operation));
    },
    remove: async (reference: string, sourceType: 'card' | 'bank_account') =>
      (await confirmed(await prepared({ ...owner(), kind: 'delete_source', reference, sourceType }))).status,
  };
}

type Operations = ReturnType<typeof operations>;

const sourceOf = (outcome: GatewayOutcome) => ('source' in outcome ? outcome.source : null);
const reasonOf = (outcome: GatewayOutcome) =>
  outcome.status === 'failed' ? `${outcome.kind}, ${outcome.code}` : outcome.status;

/** All steps in order, each kind of operation with each kind of instrument. */
export function stepsOf(gateway: StripeGateway, stripe: Stripe): Step[] {
  const own = operations(gateway);
  return [
    ...cardSteps(own, gateway),
    ...fieldSteps(own, stripe),
    ...challengeSteps(own, gateway),
    ...debitSteps(own, stripe),
    ...depositSteps(own, stripe),
  ];
}

function cardSteps(own: Operations, gateway: StripeGateway): Step[] {
  const startedAt = new Date();
  const made = { source: '', charge: '', refund: '' };
  const visa = { token: 'pm_card_visa' };
  const store = async () => {
    const outcome = await own.vault(visa.token, 'credit_card');
    made.source = sourceOf(outcome)?.reference ?? '';
    return outcome.status;
  };
  const createCharge = async () => {
    made.charge = await own.prepared(own.charge({ reference: made.source }));
    return own.look(made.charge);
  };
  const createRefund = async () => {
    const money = { reference: made.charge, amount: '5.00', currency: 'usd' };
    made.refund = await own.prepared({ ...owner(), kind: 'refund', ...money });
    return own.look(made.refund);
  };
  const decline = async () =>
    reasonOf(await own.confirmed(await own.prepared(own.charge({ token: 'pm_card_visa_chargeDeclined' }))));
  const abandon = async () => {
    const reference = await own.prepared(own.charge(visa));
    await own.abandon(reference);
    return own.look(reference);
  };
  const list = async () => {
    const range = { since: new Date(startedAt.getTime() - 60_000), until: new Date('9999-01-01'), after: null };
    const { records } = (await gateway.list?.(range, signal())) ?? { records: [] };
    const ours = records.filter(({ reference }) => [made.charge, made.refund].includes(reference));
    return ours.map(({ kind, amount }) => `${kind} ${amount}`).join(', ');
  };
  const reversals = async () => {
    const { returned, disputes } = (await gateway.reversals?.(made.charge, 0, signal())) ?? {};
    return `${returned ? 'returned' : 'not returned'}, ${disputes?.length} disputes`;
  };
  return [
    { does: 'store a card', wants: 'succeeded', answers: store },
    { does: 'create a charge of 12.50 usd', wants: 'unconfirmed', answers: createCharge },
    { does: 'confirm it', wants: 'succeeded', answers: async () => (await own.confirmed(made.charge)).status },
    { does: 'look at it', wants: 'succeeded', answers: () => own.look(made.charge) },
    { does: 'look for its disputes', wants: 'not returned, 0 disputes', answers: reversals },
    { does: 'prepare a refund of 5.00 usd', wants: 'unconfirmed', answers: createRefund },
    { does: 'refund', wants: 'succeeded', answers: async () => (await own.confirmed(made.refund)).status },
    { does: 'look at the refund', wants: 'succeeded', answers: () => own.look(made.refund) },
    { does: 'charge a card that is declined', wants: 'soft, generic_decline', answers: decline },
    { does: 'abandon a charge', wants: 'abandoned', answers: abandon },
    { does: 'list', wants: 'charge 12.50, refund 5.00', answers: list },
    { does: 'delete the card', wants: 'succeeded', answers: () => own.remove(made.source, 'card') },
  ];
}

/** Tokens as Stripe's fields in a browser make them: for a payment, or to store the card. */
function fieldSteps(own: Operations, stripe: Stripe): Step[] {
  const tokenOf = async (usage: { setup_future_usage?: 'off_session' }) =>
    (await stripe.testHelpers.confirmationTokens.create({ payment_method: 'pm_card_visa', ...usage })).id;
  const charge = async () =>
    (await own.confirmed(await own.prepared(own.charge({ token: await tokenOf({}) }, { payer })))).status;
  const store = async () =>
    (await own.vault(await tokenOf({ setup_future_usage: 'off_session' }), 'credit_card')).status;
  return [
    { does: 'charge a card from the fields of a page', wants: 'succeeded', answers: charge },
    { does: 'store a card from the fields of a page', wants: 'succeeded', answers: store },
  ];
}

/** A card whose bank asks for 3-D Secure, with its owner and without. */
function challengeSteps(own: Operations, gateway: StripeGateway): Step[] {
  const made = { charge: '' };
  const instrument = { token: 'pm_card_authenticationRequired' };
  const withPayer = async () => {
    made.charge = await own.prepared(own.charge(instrument, { payer }));
    return (await own.confirmed(made.charge)).status;
  };
  const page = async () => {
    const url = await gateway.challenge(made.charge, 0, signal());
    return url && new URL(url).protocol === 'https:' ? 'a page' : 'no page';
  };
  const alone = async () => reasonOf(await own.confirmed(await own.prepared(own.charge(instrument))));
  return [
    { does: 'charge a card that asks for 3-D Secure', wants: 'pending', answers: withPayer },
    { does: 'find the page of its bank', wants: 'a page', answers: page },
    { does: 'give it up', wants: 'true', answers: () => own.abandon(made.charge) },
    {
      does: 'charge it without its owner',
      wants: 'needs_customer, authentication_required',
      answers: alone,
    },
  ];
}

const holder = { name: 'Ann Example', email: 'ann@example.com' };

/** https://docs.stripe.com/payments/sepa-debit/accept-a-payment names the IBAN, and /payments/ach-direct-debit the payment method. */
function debitSteps(own: Operations, stripe: Stripe): Step[] {
  const made = { account: '' };
  const storeAch = async () => {
    const outcome = await own.vault('pm_usBankAccount_success', 'ach');
    made.account = sourceOf(outcome)?.reference ?? '';
    return outcome.status;
  };
  const chargeAch = async () =>
    (await own.confirmed(await own.prepared(own.charge({ reference: made.account })))).status;
  const chargeSepa = async () => {
    const iban = { iban: 'AT611904300234573201' };
    const account = { type: 'sepa_debit', sepa_debit: iban, billing_details: holder } as const;
    const { id: token } = await stripe.paymentMethods.create(account);
    return (await own.confirmed(await own.prepared(own.charge({ token }, { currency: 'eur', payer })))).status;
  };
  return [
    { does: 'store a bank account in the United States', wants: 'succeeded', answers: storeAch },
    { does: 'debit it', wants: 'pending', answers: chargeAch },
    { does: 'debit a bank account in the euro area', wants: 'pending', answers: chargeSepa },
    { does: 'delete the bank account', wants: 'succeeded', answers: () => own.remove(made.account, 'bank_account') },
  ];
}

/** https://docs.stripe.com/payments/ach-direct-debit/set-up-payment names the account and its deposits. */
function depositSteps(own: Operations, stripe: Stripe): Step[] {
  const made = { account: '' };
  const store = async () => {
    const numbers = { routing_number: '110000000', account_number: '000123456789' };
    const details = { ...numbers, account_holder_type: 'individual' } as const;
    const account = { type: 'us_bank_account', us_bank_account: details, billing_details: holder } as const;
    const { id } = await stripe.paymentMethods.create(account);
    const source = sourceOf(await own.vault(id, 'ach'));
    made.account = source?.reference ?? '';
    return source?.verified === false ? 'to be verified' : 'verified';
  };
  const verify = async () => {
    const operation = { ...owner(), reference: made.account, amounts: ['0.32', '0.45'] };
    return (await own.confirmed(await own.prepared({ ...operation, kind: 'verify_source' }))).status;
  };
  return [
    { does: 'store a bank account that two deposits verify', wants: 'to be verified', answers: store },
    { does: 'verify it by 0.32 and 0.45', wants: 'succeeded', answers: verify },
  ];
}
