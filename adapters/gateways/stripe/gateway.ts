import type {
  Gateway,
  GatewayCustomers,
  GatewayLook,
  GatewayOperation,
  GatewayOutcome,
} from '../../../commands/ports/ports.ts';
import { challengeOf } from './challenges.ts';
import { abandonCharge, confirmCharge, lookAtCharge, prepareCharge } from './charges.ts';
import { type Call, callsOf, openStripe, type StripeAccess } from './client.ts';
import { hasCustomer, type Place } from './customers.ts';
import { refusalOf } from './declines.ts';
import { abandonDeletion, confirmDeletion, lookAtDeletion } from './deletions.ts';
import { lockedOr, unprepared } from './errors.ts';
import { readEvent } from './events.ts';
import { listRecords } from './listing.ts';
import { deletionReference, type Reference, readReference } from './references.ts';
import { abandonRefund, confirmRefund, lookAtDashboardRefund, lookAtRefund, prepareRefund } from './refunds.ts';
import { readReversals } from './reversals.ts';
import { describeToken, readSource } from './sources.ts';
import { abandonVault, confirmVault, lookAtVault, prepareVault } from './vaulting.ts';
import { abandonVerification, confirmVerification, lookAtVerification, prepareVerification } from './verifications.ts';

export interface StripeGatewayOptions extends StripeAccess {
  /** The secret that signs Stripe's events, `whsec_…`. */
  webhookSecret: string;
  /** Id of this deployment, so that several can share a test account of Stripe. */
  deployment: string;
  /** Where the ids of customers at Stripe are kept. */
  customers: GatewayCustomers;
  /** Where a bank sends a payer back who came from no page: https://docs.stripe.com/changelog/2023-08-16/automatic-payment-methods. */
  home: string;
}

export type StripeGateway = Gateway & Required<Pick<Gateway, 'challenge'>>;

/** The `stripe` gateway, by Stripe's SDK. It keeps no state but the ids of customers: references and Stripe's objects say all that later calls need. */
export function createStripeGateway({
  webhookSecret,
  deployment,
  home,
  customers,
  ...access
}: StripeGatewayOptions): StripeGateway {
  const stripe = openStripe(access);
  return {
    name: 'stripe',
    async prepare(operation, _at, signal) {
      return {
        reference: await prepare(callsOf(stripe, signal), operation, { deployment, customers }).catch(unprepared),
      };
    },
    confirm: (reference, _at, signal) =>
      confirm(callsOf(stripe, signal), readReference(reference), home).catch(lockedOr),
    look: (reference, _at, signal) => look(callsOf(stripe, signal), readReference(reference)).catch(lockedOr),
    abandon: (reference, signal, age = 0) =>
      abandon(callsOf(stripe, signal), readReference(reference), age).catch(lockedOr),
    readSource: (reference, signal) => readSource(callsOf(stripe, signal), reference).catch(lockedOr),
    hasCustomer: (reference, signal) => hasCustomer(callsOf(stripe, signal), reference).catch(lockedOr),
    describe: (token, signal) => describeToken(callsOf(stripe, signal), token),
    list: (range, signal) => listRecords(callsOf(stripe, signal), range, deployment),
    reversals: (reference, _at, signal) =>
      readReversals(callsOf(stripe, signal), reference, deployment).catch(lockedOr),
    challenge: async (reference, _at, signal) =>
      challengeOf(callsOf(stripe, signal), readReference(reference)).catch(lockedOr),
    readEvent: (message) => readEvent(message, { secret: webhookSecret, secretKey: access.secretKey }),
  };
}

async function prepare(call: Call, operation: GatewayOperation, place: Place): Promise<string> {
  switch (operation.kind) {
    case 'charge':
      return prepareCharge(call, operation, place);
    case 'vault':
      return prepareVault(call, operation, place);
    case 'refund':
      return prepareRefund(call, operation);
    case 'delete_source':
      return deletionReference(operation.reference, operation.key);
    case 'verify_source':
      return prepareVerification(call, operation);
  }
}

async function confirm(call: Call, reference: Reference, home: string): Promise<GatewayOutcome> {
  switch (reference.kind) {
    case 'charge':
      return confirmCharge(call, reference.id, home);
    case 'vault':
      return confirmVault(call, reference.id, home);
    case 'refund':
      return confirmRefund(call, reference);
    case 'delete_source':
      return confirmDeletion(call, reference);
    case 'verify_source':
      return confirmVerification(call, reference);
    case 'refused':
      return { status: 'failed', ...refusalOf(reference.code), source: null };
    case 'dashboard':
    case 'unknown':
      throw new Error('This is no reference of an operation that can be confirmed');
  }
}

async function look(call: Call, reference: Reference): Promise<GatewayLook> {
  switch (reference.kind) {
    case 'charge':
      return lookAtCharge(call, reference.id);
    case 'vault':
      return lookAtVault(call, reference.id);
    case 'refund':
      return lookAtRefund(call, reference);
    case 'dashboard':
      return lookAtDashboardRefund(call, reference.id);
    case 'delete_source':
      return lookAtDeletion(call, reference);
    case 'verify_source':
      return lookAtVerification(call, reference);
    case 'refused':
      return { status: 'failed', ...refusalOf(reference.code), source: null };
    case 'unknown':
      return { status: 'not_found' };
  }
}

async function abandon(call: Call, reference: Reference, age: number): Promise<boolean> {
  switch (reference.kind) {
    case 'charge':
      return abandonCharge(call, reference.id);
    case 'vault':
      return abandonVault(call, reference.id);
    case 'refund':
      return abandonRefund(call, reference, age);
    case 'delete_source':
      return abandonDeletion(call, reference, age);
    case 'verify_source':
      return abandonVerification(call, reference, age);
    case 'dashboard':
      return false;
    case 'refused':
    case 'unknown':
      return true;
  }
}
