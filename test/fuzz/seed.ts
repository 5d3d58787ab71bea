import { createClient } from '../../client/index.ts';

/** Creates objects of many kinds, so that small numbers are ids of existing objects. */
export async function seedSandbox(target: { baseUrl: string; key: string }): Promise<void> {
  const client = createClient({ baseUrl: target.baseUrl, apiKey: target.key });
  await client.post('/items', { id: 'hosting', name: 'Hosting', unit_cost: 25 });
  await client.post('/plans', { id: 'gold', name: 'Gold', amount: 49, interval: 'month' });
  await client.post('/coupons', { id: 'ten', name: 'Ten percent', value: 10 });
  await client.post('/tax_rates', { id: 'vat', name: 'VAT', value: 19 });
  await client.post('/tax_rules', { tax_rate: 'vat', country: 'DE' });
  for (const name of ['Ann', 'Bob', 'Cem']) {
    const customer = (await client.post('/customers', { name, email: 'people@example.com', autopay: true })).id;
    const card = { method: 'credit_card' as const, gateway_token: 'tok_4242424242424242', make_default: true };
    await client.post('/customers/{id}/payment_sources', card, { id: customer });
    const invoice = await client.post('/invoices', { customer, items: [{ name: 'Work', unit_cost: 100 }] });
    await client.post('/payments', {
      customer,
      amount: 10,
      applied_to: [{ type: 'invoice', invoice: invoice.id, amount: 10 }],
    });
    await client.post('/subscriptions', { customer, plan: 'gold' });
  }
}
