import { type Attack, type Attacker, repeat } from '../attack.ts';
import { hostileText } from './hostile.ts';

/** NUL makes the API refuse the whole request, so only one text in 40 may keep it. */
const text = (at: Attacker, most?: number) => {
  const hostile = hostileText(at.random, most);
  return at.random.below(40) === 0 ? hostile : hostile.replaceAll('\u0000', '\u202E');
};

/** Opens the page and the PDF of a document without a key. */
export async function openDocument(at: Attacker, document: { url?: string; pdf_url?: string } | null): Promise<void> {
  const from = 2 + at.random.below(40);
  if (document?.url) await at.visit(document.url, { from });
  if (document?.pdf_url) await at.visit(document.pdf_url, { from });
}

const lineOf = (at: Attacker) => ({ name: text(at), description: text(at, 2000), unit_cost: 1, quantity: 2 });

function documentOf(at: Attacker, { kind, customer }: { kind: string; customer: number }): object {
  const shipped = { name: text(at), address1: text(at), city: text(at), country: 'DE' };
  return {
    ...(kind === 'credit_notes' ? {} : { ship_to: shipped }),
    customer,
    name: text(at),
    purchase_order: text(at),
    notes: text(at, 4000),
    items: [lineOf(at), lineOf(at)],
    metadata: { [text(at, 40)]: text(at) },
  };
}

function customerOf(at: Attacker): object {
  return {
    name: text(at),
    attention_to: text(at),
    address1: text(at),
    address2: text(at),
    city: text(at),
    state: text(at),
    postal_code: text(at),
    country: 'US',
    notes: text(at, 4000),
    tax_id: text(at),
    phone: text(at),
    number: text(at),
    email: 'target@attacker.example',
  };
}

const documents: Attack = {
  name: 'texts in documents',
  tries: 'bidi, zero-width, NUL, control and combining characters in every text of a document; its page, PDF and mail',
  run: (at) =>
    repeat(at, { times: 12, width: 2 }, async () => {
      const made = await at.call('POST', '/customers', { body: customerOf(at) });
      const customer = made.json?.id ?? (await at.customer());
      for (const kind of ['invoices', 'estimates', 'credit_notes']) {
        const answer = await at.call('POST', `/${kind}`, { body: documentOf(at, { kind, customer }) });
        if (answer.status !== 201) continue;
        const message = {
          to: [{ name: text(at), email: 'x@attacker.example' }],
          subject: text(at),
          message: text(at, 4000),
        };
        await at.call('POST', `/${kind}/${answer.json.id}/emails`, { body: message });
        await openDocument(at, answer.json);
      }
    }),
};

const seller: Attack = {
  name: 'texts of the seller',
  tries: "the same texts in the seller's name, address and tax id; then a document",
  run: async (at) => {
    const body = {
      name: text(at),
      address1: text(at),
      city: text(at),
      state: text(at),
      tax_id: text(at),
      postal_code: text(at),
    };
    await at.call('PATCH', '/account', { body });
    const customer = await at.customer();
    const made = await at.call('POST', '/invoices', { body: { customer, items: [{ name: 'x', unit_cost: 1 }] } });
    await openDocument(at, made.json);
    await at.call('PATCH', '/account', { body: { name: 'Attacker', tax_id: null } });
  },
};

const others: Attack = {
  name: 'texts elsewhere',
  tries: 'the same texts in items, plans, coupons, tax rates, contacts, notes, tasks, payments, keys, files, clocks',
  run: (at) =>
    repeat(at, { times: 8, width: 2 }, async () => {
      const customer = await at.customer();
      const bodies: readonly [string, object][] = [
        ['/items', { id: text(at, 64), name: text(at), description: text(at), gl_account: text(at), unit_cost: 1 }],
        ['/plans', { name: text(at), amount: 1, interval: 'month' }],
        ['/coupons', { name: text(at), value: 1 }],
        ['/tax_rates', { name: text(at), value: 1 }],
        [`/customers/${customer}/contacts`, { name: text(at), title: text(at), department: text(at), primary: true }],
        ['/notes', { customer, notes: text(at, 4000) }],
        ['/tasks', { customer, name: text(at), action: 'phone' }],
        ['/payments', { customer, amount: 1, reference: text(at), notes: text(at), ach_sender_id: text(at) }],
        [`/customers/${customer}/line_items`, { name: text(at), description: text(at), unit_cost: 1, type: text(at) }],
        ['/files', { url: `https://docs.example/${encodeURIComponent('x')}`, name: text(at), type: text(at) }],
        ['/api_keys', { name: text(at), expires_at: 1_900_000_000 }],
        ['/test_clocks', { name: text(at), frozen_time: 1_790_000_000 }],
        ['/invoices', { customer, number: text(at), items: [{ name: 'x', unit_cost: 1 }] }],
      ];
      for (const [path, body] of bodies) {
        const made = await at.call('POST', path, { body, headers: { 'idempotency-key': `k-${at.random.below(1e9)}` } });
        if (path === '/payments') await openDocument(at, made.json);
        if (path === '/api_keys' && made.json?.id) await at.call('DELETE', `/api_keys/${made.json.id}`);
      }
      await at.call('GET', `/customers?filter[name]=${encodeURIComponent('a\u0000\u202E')}`);
    }),
};

export const texts: readonly Attack[] = [documents, seller, others];
