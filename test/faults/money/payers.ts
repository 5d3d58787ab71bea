import type { Product } from '../../support/product.ts';

export const token = {
  pays: 'tok_4242424242424242',
  timesOutTaken: 'tok_4000000000000119',
  timesOutUntaken: 'tok_4000000000000101',
};

/** Creates a customer with a stored default source. Returns its id. */
export async function newPayer(
  product: Product,
  who: { gatewayToken?: string; autopay: boolean; autopayDelayDays?: number },
): Promise<number> {
  const { gatewayToken = token.pays, autopay, autopayDelayDays = 0 } = who;
  const asked = { name: 'Payer', email: 'payer@example.com', autopay, autopay_delay_days: autopayDelayDays };
  const customer = await product.call('POST', '/customers', asked);
  await product.call('POST', `/customers/${customer.id}/payment_sources`, {
    method: 'credit_card',
    gateway_token: gatewayToken,
    make_default: true,
  });
  return customer.id;
}

/** Issues an invoice with one line. */
export async function newInvoice(
  product: Product,
  customer: number,
  amount = 25,
): Promise<{ id: number; number: string }> {
  return product.call('POST', '/invoices', { customer, items: [{ name: 'Work', quantity: 1, unit_cost: amount }] });
}
