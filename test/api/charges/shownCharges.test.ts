import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Params, parseForm } from '../../adapters/stripe/form.ts';
import { type Client, refused, startApi, type TestApi } from '../../support/api.ts';

/** What the merchant's dashboard at Stripe and the payer's statement show of a charge. */

let api: TestApi;
let client: Client;
let customer: number;
let number: string;
beforeAll(async () => {
  api = await startApi();
  client = api.sandbox;
  const secrets = { secret_key: 'sk_test_ShownCharges', publishable_key: 'pk_test_ShownCharges' };
  await client.make('/merchant_accounts', { gateway: 'stripe', name: 'Stripe', ...secrets });
  ({ id: customer, number } = await client.make('/customers', { name: 'Payer' }));
});
afterAll(() => api.close());

const invoiceOf = (amount: number) => client.make('/invoices', { customer, items: [{ name: 'x', unit_cost: amount }] });

interface Charged {
  method?: string;
  gateway_token?: string;
}

/** Charges invoices in full. Returns what was sent to Stripe to create the intent. */
async function charge(
  amounts: readonly number[],
  { method = 'credit_card', gateway_token = 'pm_card_visa' }: Charged = {},
) {
  const invoices = [];
  for (const amount of amounts) invoices.push(await invoiceOf(amount));
  const { id: service_token } = await client.make('/service_tokens', { method, gateway_token });
  const applied_to = invoices.map(({ id, balance }) => ({ type: 'invoice', invoice: id, amount: balance }));
  const amount = amounts.reduce((sum, one) => sum + one, 0) || 7;
  const { status, body } = await client.post('/charges', { customer, method, service_token, amount, applied_to });
  expect([status, body]).toMatchObject([201, {}]);
  const created = api.stripe.asked.filter((one) => one.method === 'POST' && one.path === '/v1/payment_intents').at(-1);
  const sent: Params = parseForm(created?.text ?? '');
  return { sent, numbers: invoices.map((one) => one.number) };
}

test('a charge names its invoices and its customer', async () => {
  const { sent, numbers } = await charge([12]);
  expect(sent.description).toBe(`Invoice ${numbers[0]}`);
  expect(sent.metadata).toMatchObject({ invoice_number: numbers[0], customer_number: number });
  const two = await charge([12, 13]);
  expect(two.sent.description).toBe(`Invoices ${two.numbers.join(', ')}`);
  const many = await charge(Array.from({ length: 11 }, () => 1));
  expect(many.sent.description).toBe(`Invoices ${many.numbers.slice(0, 10).join(', ')} and 1 more`);
  const credit = await charge([]);
  expect(credit.sent.description).toBe('Account credit');
  expect(credit.sent.metadata).not.toHaveProperty('invoice_number');
});

test('the text for bank statements is a suffix for cards, and whole for bank accounts', async () => {
  expect((await charge([12])).sent).not.toHaveProperty('statement_descriptor_suffix');
  await client.patch('/account', { statement_descriptor: 'ROME HOSTING 24/7' });
  const card = (await charge([12])).sent;
  expect(card.statement_descriptor_suffix).toBe('ROME HOSTI');
  expect(card).not.toHaveProperty('statement_descriptor');
  const debit = (await charge([12], { method: 'ach', gateway_token: 'pm_usBankAccount_success' })).sent;
  expect(debit.statement_descriptor).toBe('ROME HOSTING 24/7');
  expect(debit).not.toHaveProperty('statement_descriptor_suffix');
  await client.patch('/account', { statement_descriptor: '1234567890 ROME' });
  expect((await charge([12])).sent).not.toHaveProperty('statement_descriptor_suffix'); // its beginning has no letter
});

test.each(['ACME', 'A'.repeat(23), '1234567', 'ROME*HOSTING', "ROME'S", 'RÖMER GMBH', ' ROME', 'ROME\nX', 7])(
  'a text for bank statements that Stripe refuses is refused where it is set: %j',
  async (statement_descriptor) => {
    const answer = await client.patch('/account', { statement_descriptor });
    expect(answer).toMatchObject(refused({ param: 'statement_descriptor' }));
  },
);
