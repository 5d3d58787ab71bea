import { invalid, missing } from './fault.ts';

/** How a payment method behaves when it is charged, set up and refunded. */
export interface Behaviour {
  charge:
    | 'succeed'
    | 'challenge'
    | 'dispute'
    | 'process'
    | { code: string; decline_code?: string; advice_code?: string };
  /** Whether a bank account has to be verified by its micro-deposits. */
  isUnverified: boolean;
  refund: 'succeed' | 'pend' | 'refuse';
}

export interface Method {
  id: string;
  object: 'payment_method';
  type: string;
  customer: string | null;
  [details: string]: unknown;
}

export interface StoredMethod {
  method: Method;
  behaviour: Behaviour;
  /** It belonged to a customer, or was charged once, and can never be used again. */
  isSpent: boolean;
  hasMandate: boolean;
}

export interface Intent {
  id: string;
  object: 'payment_intent' | 'setup_intent';
  status: string;
  customer: string | null;
  metadata: Record<string, string>;
  payment_method: string | null;
  created: number;
  [details: string]: unknown;
}

export interface PaymentIntent extends Intent {
  amount: number;
  currency: string;
  latest_charge: string | null;
}

export interface Charge {
  id: string;
  object: 'charge';
  amount: number;
  amount_refunded: number;
  currency: string;
  payment_intent: string;
  disputed: boolean;
  [details: string]: unknown;
}

export interface Refund {
  id: string;
  object: 'refund';
  amount: number;
  currency: string;
  status: string;
  payment_intent: string;
  metadata: Record<string, string>;
  created: number;
  [details: string]: unknown;
}

export interface Dispute {
  id: string;
  object: 'dispute';
  amount: number;
  status: string;
  payment_intent: string;
  [details: string]: unknown;
}

export interface StripeEvent {
  id: string;
  type: string;
  data: { object: unknown };
}

/** Everything that the server remembers. */
export interface World {
  customers: Map<string, { id: string; object: 'customer'; metadata: Record<string, string> }>;
  /** Ids of customers that were deleted: "When requesting a customer that has been deleted, a subset of its information is returned, with `deleted`". */
  deleted: Set<string>;
  methods: Map<string, StoredMethod>;
  payments: Map<string, PaymentIntent>;
  setups: Map<string, Intent>;
  charges: Map<string, Charge>;
  refunds: Map<string, Refund>;
  disputes: Map<string, Dispute>;
  /** How often each PaymentIntent took money. */
  captures: Map<string, number>;
  events: StripeEvent[];
  /** Epoch seconds. */
  now: () => number;
  newId(prefix: string): string;
}

export function newWorld(): World {
  let last = 0;
  return {
    customers: new Map(),
    deleted: new Set(),
    methods: new Map(),
    payments: new Map(),
    setups: new Map(),
    charges: new Map(),
    refunds: new Map(),
    disputes: new Map(),
    captures: new Map(),
    events: [],
    now: () => Math.floor(Date.now() / 1000),
    newId: (prefix) => {
      last += 1;
      return `${prefix}_3Q${String(last).padStart(8, '0')}`;
    },
  };
}

export function found<T>(objects: ReadonlyMap<string, T>, id: string | null, what: string): T {
  const object = objects.get(id ?? '');
  if (!object) throw missing(what, id ?? '');
  return object;
}

/**
 * Refuses a parameter that names a customer which does not exist: "resource_missing: The ID provided isn't valid. Either the resource doesn't exist, or
 * an ID for a different resource has been provided", with the parameter (https://docs.stripe.com/error-codes#resource-missing).
 */
export function nameCustomer(world: World, id: string): void {
  if (!world.customers.has(id))
    throw invalid(`No such customer: '${id}'`, { code: 'resource_missing', param: 'customer' });
}

/** Records an event, which a test can send. The object is copied as it is now. */
export function tell(world: World, type: string, object: unknown): void {
  world.events.push({ id: world.newId('evt'), type, data: { object: structuredClone(object) } });
}
