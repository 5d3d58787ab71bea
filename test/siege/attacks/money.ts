import { type Attack, repeat } from '../attack.ts';

const CARDS: readonly [string, ...string[]] = [
  'tok_4000000000000069',
  'tok_4000000000000119',
  'tok_4000000000000101',
  'tok_4000000000003220',
  'tok_script_timeout_taken',
  'tok_script_soft.soft.hard',
  `tok_script_${'soft.'.repeat(400)}succeed`,
  'tok_\u202E4242',
  'tok_4242424242424242',
];

const pending: Attack = {
  name: 'pending lines beyond the bound',
  tries: 'pending lines of 9 x 10^11 each, and 1,200 small ones; then invoices, subscriptions and a merge',
  run: async (at) => {
    const customer = await at.customer();
    await repeat(at, { times: 12, width: 4 }, () =>
      at.call('POST', `/customers/${customer}/line_items`, { body: { name: 'Much', unit_cost: 900_000_000_000 } }),
    );
    await at.call('POST', `/customers/${customer}/invoices`);
    const many1 = await at.customer();
    await repeat(at, { times: 1200, width: 6 }, (n) =>
      at.call('POST', `/customers/${many1}/line_items`, { body: { name: `L${n}`, unit_cost: 1 }, key: n }),
    );
    await at.call('POST', '/plans', { body: { id: 'siege-month', name: 'x', amount: 1, interval: 'month' } });
    for (const id of [customer, many1]) {
      await at.call('POST', '/subscriptions', { body: { customer: id, plan: 'siege-month' } });
      await at.call('POST', `/customers/${id}/invoices`);
    }
    await at.call('POST', `/customers/${customer}/merge`, { body: { customer: many1 } });
    await at.call('GET', `/customers/${customer}/balance`);
  },
};

const charges: Attack = {
  name: 'cards that fail',
  tries: 'charges that fail or never answer; eight requests with one idempotency key; refunds above the charge',
  run: (at) =>
    repeat(at, { times: 12, width: 4 }, async (n) => {
      const customer = await at.customer({ autopay: true });
      const gateway_token = at.random.pick(CARDS);
      const body = { customer, method: 'credit_card', amount: 10, gateway_token, applied_to: [] };
      const headers = { 'idempotency-key': `twin-${n}-${at.random.below(1e9)}` };
      const twins = Array.from({ length: 8 }, (_, twin) =>
        at.call('POST', '/charges', { body, headers, key: twin % 2 }),
      );
      await at.call('POST', `/customers/${customer}/payment_sources`, {
        body: { method: 'credit_card', gateway_token, make_default: true },
      });
      await at.call('POST', '/invoices', { body: { customer, items: [{ name: 'x', unit_cost: 5 }] } });
      const [first] = await Promise.all(twins);
      const charge = first?.json?.charge?.id;
      if (charge) await at.call('POST', `/charges/${charge}/refunds`, { body: { amount: 1e11 } });
    }),
};

const settings: Attack = {
  name: 'settings at their bounds',
  tries: 'numbering at 999,999,999 and with bidi prefixes, raised limits, invalid zones and countries, delays of zero',
  run: async (at) => {
    const change = (body: object) => at.call('PATCH', '/account', { body });
    for (const body of [
      { rate_limit: 100_000, rate_limit_burst: 100_000 },
      { numbering: { invoice: { prefix: '\u202EINV', next: 1 } } },
      { numbering: { invoice: { prefix: 'INV\u0000', next: 5 } } },
      { numbering: { estimate: { prefix: 'E-', next: 999_999_999 } } },
      { numbering: { credit_note: { prefix: 'CN-', next: 999_999_999 } } },
      { numbering: { customer: { prefix: '9'.repeat(16), next: 2 ** 40 } } },
      { time_zone: 'Etc/../../etc/passwd' },
      { time_zone: 'Pacific/Kiritimati', language: 'ar', currency: 'kwd', country: 'ZZ' },
      { autopay_minimum_delay: 0, autopay_delay_days: 0, autopay_retry_days: [1, 1, 1, 1, 1, 1, 1, 1] },
      { autopay_retry_days: Array.from({ length: 100_000 }, () => 1) },
      { webhook_shards: 16 },
      { accent_color: '#000000;}' },
    ])
      await change(body);
    const customer = await at.customer();
    for (const kind of ['estimates', 'credit_notes', 'invoices']) {
      for (let n = 0; n < 3; n++)
        await at.call('POST', `/${kind}`, { body: { customer, items: [{ name: 'x', unit_cost: 1 }] } });
    }
    await at.call('GET', '/numbering/audit');
    await change({
      time_zone: 'UTC',
      language: 'en',
      currency: 'usd',
      country: 'US',
      rate_limit: 100,
      rate_limit_burst: 200,
    });
  },
};

export const money: readonly Attack[] = [pending, charges, settings];
