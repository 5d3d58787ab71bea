import type { Body, Customer, Invoice } from '../../client/index.ts';
import type { Product } from './product.ts';

/** Creates a customer on AutoPay with a stored source. `token` scripts the gateway. */
export async function payingCustomer(
  { client }: Pick<Product, 'client'>,
  token: string,
  over: Partial<Body<'post', '/customers'>> = {},
): Promise<Customer> {
  const person = { name: 'Bob', email: 'bob@example.com', autopay: true };
  const customer = await client.post('/customers', { ...person, ...over });
  const method = /^tok_\d{9}_/.test(token) ? 'ach' : 'credit_card';
  const source = { method, gateway_token: token, make_default: true } as const;
  await client.post('/customers/{id}/payment_sources', source, { id: customer.id });
  return customer;
}

/** Issues an invoice with one line. */
export function invoiceFor(
  { client }: Product,
  customer: number,
  amount: number,
  over: Partial<Body<'post', '/invoices'>> = {},
): Promise<Invoice> {
  const items = [{ name: 'Consulting', quantity: 1, unit_cost: amount }];
  return client.post('/invoices', { customer, items, ...over });
}

export const seconds = (day: string): number => Date.parse(day) / 1000;
