import { createContext, runInContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { unitsOf } from '../../adapters/gateways/stripe/amounts.ts';
import { tokenize } from '../../api/pages/tokenize/script.ts';
import { isCurrency } from '../../billing/money/money.ts';

/** What the script of pages tells to the fields of Stripe for an amount; null: the fields only store a card. */
async function toldToFields(amount: string, currency: string): Promise<number | null> {
  let told: number | null = null;
  const node = () => ({ append: () => undefined, setAttribute: () => undefined, after: () => undefined });
  const elements = (options: { amount?: number }) => {
    told = options.amount ?? null;
    return { create: () => ({ mount: () => undefined }) };
  };
  const document = {
    currentScript: null,
    readyState: 'complete',
    documentElement: { lang: 'en' },
    querySelectorAll: () => [],
    createElement: node,
  };
  const window: Record<string, unknown> = { Stripe: () => ({ elements }), addEventListener: () => undefined };
  const context = createContext({ window, document, location: { origin: 'https://shop.example' }, URLSearchParams });
  runInContext(tokenize.body.toString(), context);
  const fields = { gateway: 'stripe', publishable_key: 'pk_test_1', currency };
  const given = JSON.stringify({ fields, amount, method: 'credit_card' });
  await runInContext(`window.Perennial.mount({ append() {} }, ${given})`, context);
  return told;
}

test('the script of pages counts each currency as charges do', async () => {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const codes = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => `${a}${b}${c}`)));
  const unlike: unknown[] = [];
  let counted = 0;
  for (const currency of codes.filter(isCurrency)) {
    const units = unitsOf('1200', currency);
    if (units === 'currency_unsupported') continue;
    counted += 1;
    const told = await toldToFields('1200', currency);
    if (told !== units) unlike.push([currency, told, units]);
  }
  expect(unlike).toEqual([]);
  expect(counted).toBeGreaterThan(130);
  // Forints, rupiahs and pesos have hundredths at Stripe, yen none, dinars thousandths.
  const told = await Promise.all(['huf', 'idr', 'cop', 'jpy', 'kwd'].map((currency) => toldToFields('5', currency)));
  expect(told).toEqual([500, 500, 500, 5, 5000]);
});
