import type { EntityManager } from '../../../db/orm.ts';
import type { Client } from '../api.ts';
import { takeSubscriptionSteps } from '../subscriptionSteps.ts';

/** The request of an operation, and the events that it writes. */
export interface Row {
  /** Creates the objects of the operation. Returns its path, and its body if it has one. */
  request: (shop: Shop) => Promise<[path: string, body?: object]>;
  /** Types in order, each with the fields of `data.previous`: "customer.updated name notes". `payment_url` is left out. */
  events: string[];
}

/** A new customer in a business with a catalog. */
export interface Shop {
  client: Client;
  customer: number;
  /** Creates an object by a request that has to succeed. Returns its id. */
  make(path: string, body?: object): Promise<number>;
  /** Takes the due steps of a subscription. */
  takeSteps(subscription: number): Promise<void>;
  /** Issues an invoice. Returns its id. */
  invoice(amount: number, more?: object): Promise<number>;
}

export const CARD = { method: 'credit_card', gateway_token: 'tok_4242424242424242' };
export const BANK = { method: 'ach', gateway_token: 'tok_110000000_123456789' };
export const line = (unit_cost: number) => [{ name: 'x', unit_cost }];
export const applicationsTo = (invoice: number, amount: number) => [{ type: 'invoice', invoice, amount }];

export async function openShop(client: Client, em: EntityManager): Promise<Shop> {
  const make = async (path: string, body: object = {}) => (await client.make(path, body)).id;
  const customer = await make('/customers', { name: 'Told', email: 'told@example.com' });
  const invoice = (amount: number, more: object = {}) => make('/invoices', { customer, items: line(amount), ...more });
  const takeSteps = (id: number) => takeSubscriptionSteps(em, { accountId: client.account.id, id });
  return { client, customer, make, takeSteps, invoice };
}
