import type { Client } from '../api.ts';

/** What an operation is called with, and which events it writes. */
export interface Row {
  /** Makes what it is about; answers the path to call, with a body where it has one. */
  given: (shop: Shop) => Promise<[path: string, body?: object]>;
  /** Types in order, each with the fields of `data.previous`: "customer.updated name notes". Without `payment_url`, which is there while a page can be paid on. */
  tells: string[];
}

/** A customer of its own in a business that has a catalog. */
export interface Shop {
  client: Client;
  customer: number;
  /** Creates something by a request that has to succeed; answers its id. */
  make(path: string, body?: object): Promise<number>;
  /** An issued invoice. */
  invoice(amount: number, more?: object): Promise<number>;
}

export const CARD = { method: 'credit_card', gateway_token: 'tok_4242424242424242' };
export const BANK = { method: 'ach', gateway_token: 'tok_110000000_123456789' };
export const line = (unit_cost: number) => [{ name: 'x', unit_cost }];
export const pays = (invoice: number, amount: number) => [{ type: 'invoice', invoice, amount }];

export async function openShop(client: Client): Promise<Shop> {
  const make = async (path: string, body: object = {}) => (await client.make(path, body)).id;
  const customer = await make('/customers', { name: 'Told', email: 'told@example.com' });
  const invoice = (amount: number, more: object = {}) => make('/invoices', { customer, items: line(amount), ...more });
  return { client, customer, make, invoice };
}
