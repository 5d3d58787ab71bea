import { randomUUID } from 'node:crypto';
import { createStripeGateway, type StripeGateway } from '../../../adapters/gateways/stripe/gateway.ts';
import type { PresentPayer } from '../../../billing/payments/presentPayer.ts';
import type {
  CustomerName,
  GatewayCustomer,
  GatewayCustomers,
  GatewayInstrument,
  GatewayOperation,
  GatewayOutcome,
  VaultedSource,
} from '../../../commands/ports/ports.ts';
import { type StripeServer, startStripe } from './server.ts';

export const ACCOUNT = 7;
export const CUSTOMER = 70;
export const SECRET = 'whsec_of_the_tests';
const SECRET_KEY = 'sk_test_of_the_tests';
export const HOME = 'https://billing.example';
/** Milliseconds after which the adapter's requests time out. */
const TIMEOUT = 400;

/** A signal that never ends the caller's time. */
export const never = new AbortController().signal;

type Charge = Extract<GatewayOperation, { kind: 'charge' }>;

export interface StartedStripe {
  server: StripeServer;
  customers: KeptCustomers;
  gateway: StripeGateway;
  /** A charge of 12.50 usd by a Visa card. */
  charge(more?: Partial<Charge>): Charge;
  prepared(operation: GatewayOperation): Promise<string>;
  confirm(reference: string): Promise<GatewayOutcome>;
  look(reference: string): ReturnType<StripeGateway['look']>;
  /** `age`: milliseconds since it was confirmed. */
  abandon(reference: string, age?: number): Promise<boolean>;
  /** Prepares and confirms. */
  made(operation: GatewayOperation): Promise<{ reference: string; outcome: GatewayOutcome }>;
  refund(charge: string, amount: string): GatewayOperation;
  /** Stores a token. */
  vault(token: string, method?: 'credit_card' | 'ach', payer?: PresentPayer): Promise<VaultedSource>;
  /** The requests whose method and path match. */
  asked(request: RegExp): StripeServer['asked'];
}

/** Ids of customers at Stripe, as a database keeps them. */
export interface KeptCustomers extends GatewayCustomers {
  known: Map<string, GatewayCustomer>;
  /** References of customers that are gone. */
  gone: string[];
}

export function keptCustomers(): KeptCustomers {
  const known = new Map<string, GatewayCustomer>();
  const gone: string[] = [];
  const keyOf = ({ accountId, customerId }: CustomerName) => `${accountId} ${customerId}`;
  return {
    known,
    gone,
    read: async (customer) => known.get(keyOf(customer)) ?? { reference: null, generation: 0 },
    keep: async (customer, { reference, generation }) => void known.set(keyOf(customer), { reference, generation }),
    lost: async (customer, reference) => {
      gone.push(reference);
      const { generation } = known.get(keyOf(customer)) ?? { generation: 0 };
      known.set(keyOf(customer), { reference: null, generation: generation + 1 });
    },
  };
}

const owner = () => ({ key: randomUUID(), accountId: ACCOUNT, customerId: CUSTOMER });

/** The operation that stores a token. */
export function vaulting(
  token: string,
  method: 'credit_card' | 'ach' = 'credit_card',
): Extract<GatewayOperation, { kind: 'vault' }> {
  return { ...owner(), kind: 'vault', instrument: { token }, method };
}

export function deleting(reference: string): GatewayOperation {
  return { ...owner(), kind: 'delete_source', reference, sourceType: 'card' };
}

export function verifying(reference: string, amounts: string[]): GatewayOperation {
  return { ...owner(), kind: 'verify_source', reference, amounts };
}

/** Starts a server that behaves as Stripe does, and a gateway that talks to it. */
export async function startedStripe(deployment = 'p1'): Promise<StartedStripe> {
  const server = await startStripe();
  const access = { secretKey: SECRET_KEY, server: server.address, timeoutMilliseconds: TIMEOUT };
  const customers = keptCustomers();
  const gateway = createStripeGateway({ ...access, webhookSecret: SECRET, deployment, home: HOME, customers });
  const prepared = async (operation: GatewayOperation) => (await gateway.prepare(operation, 0, never)).reference;
  const confirm = (reference: string) => gateway.confirm(reference, 0, never);
  const made = async (operation: GatewayOperation) => {
    const reference = await prepared(operation);
    return { reference, outcome: await confirm(reference) };
  };
  return {
    server,
    customers,
    gateway,
    prepared,
    confirm,
    made,
    look: (reference) => gateway.look(reference, 0, never),
    abandon: (reference, age) => gateway.abandon(reference, never, age),
    charge: (more = {}) => {
      const instrument: GatewayInstrument = { token: 'pm_card_visa' };
      const details = { amount: '12.50', currency: 'usd', instrument, vault: false, description: 'Attempt 1' };
      return { ...owner(), kind: 'charge', ...details, ...more };
    },
    refund: (reference, amount) => ({ ...owner(), kind: 'refund', reference, amount, currency: 'usd' }),
    vault: async (token, method, payer) => {
      const { outcome } = await made({ ...vaulting(token, method), ...(payer ? { payer } : {}) });
      if (outcome.status !== 'succeeded' || !outcome.source) throw new Error(`not stored: ${JSON.stringify(outcome)}`);
      return outcome.source;
    },
    asked: (request) => server.asked.filter(({ method, path }) => request.test(`${method} ${path}`)),
  };
}
