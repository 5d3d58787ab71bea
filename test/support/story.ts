import type { Answered, Product } from './product.ts';

/** A customer with a stored source that AutoPay charges; `token` scripts the gateway. */
export async function payingCustomer(product: Product, token: string, over: object = {}): Promise<Answered> {
  const customer = await product.call('POST', '/customers', {
    name: 'Bob',
    email: 'bob@example.com',
    autopay: true,
    ...over,
  });
  const method = /^tok_\d{9}_/.test(token) ? 'ach' : 'credit_card';
  const source = { method, gateway_token: token, make_default: true };
  await product.call('POST', `/customers/${customer.id}/payment_sources`, source);
  return customer;
}

/** An invoice of one line. */
export function invoiceFor(product: Product, customerId: number, amount: number, over: object = {}): Promise<Answered> {
  const items = [{ name: 'Consulting', quantity: 1, unit_cost: amount }];
  return product.call('POST', '/invoices', { customer: customerId, items, ...over });
}

export const seconds = (day: string): number => Date.parse(day) / 1000;
