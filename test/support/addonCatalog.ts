import type { Client } from './api.ts';

/**
 * Creates what add-ons in tests sell: monthly plans of every pricing mode, and an item of 1.25 with 20 % tax. The tiers are up to 10 at 5,
 * up to 20 at 4, above at 2.50.
 */
export async function sellAddons({ make }: Client): Promise<void> {
  const tiers = [{ max_qty: 10, unit_cost: 5 }, { max_qty: 20, unit_cost: 4 }, { unit_cost: 2.5 }];
  const plan = (id: string, more: object) => make('/plans', { id, name: id, interval: 'month', ...more });
  await plan('seats', { amount: 3 });
  await plan('calls', { pricing_mode: 'tiered', tiers });
  await plan('storage', { pricing_mode: 'volume', tiers });
  await plan('support', { pricing_mode: 'custom' });
  await make('/tax_rates', { id: 'vat', name: 'VAT', value: 20 });
  const phone = { name: 'Phone', unit_cost: 1.25, description: 'One line', type: 'hardware', gl_account: '4200' };
  await make('/items', { id: 'phone', ...phone, taxes: ['vat'] });
}
