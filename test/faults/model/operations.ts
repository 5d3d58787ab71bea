import { byNote, cash, credit, spend } from '../../support/credits.ts';
import type { Actor } from './actor.ts';
import { accounts, cards, TO_VERIFY } from './cards.ts';
import { documentOperations } from './documentOperations.ts';
import { moneyOf } from './shop.ts';

/** Something that a client does. It chooses what it does it to. */
export type Operation = (at: Actor) => Promise<void>;

type Applied =
  | ReturnType<typeof cash>
  | ReturnType<typeof credit>
  | ReturnType<typeof spend>
  | ReturnType<typeof byNote>;

/** Pays a part of what is owed of a recent invoice. Null: nothing is owed. */
async function owed(at: Actor): Promise<{ invoice: number; customer: number; amount: number } | null> {
  const known = at.recent('invoice');
  const shown = known && (await at.read(`/invoices/${known.id}`));
  if (!shown || shown.balance === 0) return null;
  return { invoice: shown.id, customer: shown.customer, amount: at.part(shown.balance) };
}

/** Records a payment without a gateway. */
async function pay(at: Actor, customer: number, applied_to: Applied[]): Promise<void> {
  const amount = applied_to.reduce((total, one) => total + Math.round(one.amount * 100), 0) / 100;
  const { status, body } = await at.ask('POST', '/payments', { customer, method: 'check', amount, applied_to });
  if (status !== 201) return;
  at.keep('payment', { id: body.id, customer });
  at.shop.payments.set(body.id, moneyOf(body));
}

async function charge(at: Actor, by: object, applied_to: Applied[]): Promise<void> {
  const amount = applied_to.reduce((total, one) => total + Math.round(one.amount * 100), 0) / 100;
  const { status, body } = await at.ask('POST', '/charges', { ...by, amount, applied_to });
  if (status !== 201) return;
  at.keep('payment', { id: body.id, customer: body.customer });
  at.keep('charge', { id: body.charge.id, customer: body.customer });
  if (body.charge.status === 'succeeded') at.shop.charges.add(body.charge.id);
}

/** A card or bank account that a charge names by its token. */
function instrument(at: Actor): { method: string; gateway_token: string } {
  const isCard = at.random() < 0.75;
  const [method, number] = isCard ? ['credit_card', at.oneOf(cards)] : ['ach', at.oneOf(accounts)];
  return { method: method ?? '', gateway_token: `tok_${number}` };
}

const moneyOperations: Readonly<Record<string, Operation>> = {
  check: async (at) => {
    const [one, other] = [await owed(at), at.random() < 0.3 ? await owed(at) : null];
    if (!one) return;
    const second = other && other.customer === one.customer ? [cash(other.invoice, other.amount)] : [];
    const rest = at.random() < 0.2 ? [credit(at.part(20))] : [];
    await pay(at, one.customer, [cash(one.invoice, one.amount), ...second, ...rest]);
  },
  spendCredit: async (at) => {
    const one = await owed(at);
    if (one) await pay(at, one.customer, [spend(one.invoice, one.amount)]);
  },
  applyNote: async (at) => {
    const one = await owed(at);
    const note = one && at.recent('credit_note', one.customer);
    if (one && note) await pay(at, one.customer, [byNote(note.id, one.invoice, one.amount)]);
  },
  charge: async (at) => {
    const one = await owed(at);
    if (!one) return;
    const vault_method = at.random() < 0.1;
    await charge(at, { customer: one.customer, ...instrument(at), vault_method }, [cash(one.invoice, one.amount)]);
  },
  chargeCredit: async (at) => {
    const customer = at.oneOf(at.shop.customers);
    await charge(at, { customer, ...instrument(at) }, [credit(at.part(40))]);
  },
  chargeSource: async (at) => {
    const one = await owed(at);
    const type = at.oneOf(['card', 'bank_account'] as const);
    const source = one && at.recent(type, one.customer);
    if (!one || !source) return;
    const by = {
      method: type === 'card' ? 'credit_card' : 'ach',
      payment_source_type: type,
      payment_source_id: source.id,
    };
    await charge(at, { customer: one.customer, ...by }, [cash(one.invoice, one.amount)]);
  },
  pay: async (at) => {
    const known = at.recent('invoice');
    if (known) await at.ask('POST', `/invoices/${known.id}/pay`, {});
  },
  refund: async (at) => {
    const known = at.recent('charge');
    const shown = known && (await at.read(`/charges/${known.id}`));
    if (!shown || shown.amount_refunded >= shown.amount) return;
    const amount = at.part(Math.round((shown.amount - shown.amount_refunded) * 100) / 100);
    const { status, body } = await at.ask('POST', `/charges/${shown.id}/refunds`, { amount });
    if (status === 201 && body.status === 'succeeded') at.shop.refunds.add(body.id);
  },
  voidPayment: async (at) => {
    const known = at.recent('payment');
    if (!known) return;
    const { status } = await at.ask('DELETE', `/payments/${known.id}`);
    if (status === 200 && at.shop.payments.has(known.id)) at.shop.payments.set(known.id, null);
  },
  reapply: async (at) => {
    const known = at.recent('payment');
    const shown = known && (await at.read(`/payments/${known.id}`));
    const invoice = known && at.recent('invoice', known.customer);
    if (!shown || !invoice) return;
    const applied_to = at.random() < 0.2 ? [] : [cash(invoice.id, at.part(shown.amount))];
    await at.ask('PATCH', `/payments/${shown.id}`, { applied_to });
  },
  importStatement: async (at) => {
    const one = await owed(at);
    const text = `transfer ${Math.floor(at.random() * 1e9)}`;
    const csv = `Date,Amount,Text\n2027-03-01,${one?.amount ?? at.part(30)},${text}\n`;
    const mapping = { date: 'Date', amount: 'Amount', reference: 'Text' };
    const { status, body } = await at.ask('POST', '/payments/import', { csv, mapping });
    if (status !== 200) return;
    const [{ payment }] = body.rows;
    at.shop.payments.set(payment, Number(csv.split(',')[3]));
    if (one) await at.ask('PATCH', `/payments/${payment}`, { applied_to: [cash(one.invoice, one.amount)] });
    else await at.ask('DELETE', `/payments/${payment}/matches`);
  },
};

/** Sources of customers. */
const sourceOperations: Readonly<Record<string, Operation>> = {
  store: async (at) => {
    const customer = at.oneOf(at.shop.customers);
    const { method, gateway_token } = instrument(at);
    const asked = { method, gateway_token, make_default: at.random() < 0.3 };
    const { status, body } = await at.ask('POST', `/customers/${customer}/payment_sources`, asked);
    if (status === 201) at.keep(method === 'ach' ? 'bank_account' : 'card', { id: body.id, customer });
  },
  verify: async (at) => {
    const customer = at.oneOf(at.shop.customers);
    const path = `/customers/${customer}`;
    const asked = { method: 'ach', gateway_token: `tok_${TO_VERIFY}` };
    const { status, body } = await at.ask('POST', `${path}/payment_sources`, asked);
    if (status !== 201) return;
    at.keep('bank_account', { id: body.id, customer });
    const amounts = at.random() < 0.7 ? [0.35, 0.45] : [0.1, 0.2];
    await at.ask('POST', `${path}/bank_accounts/${body.id}/verify`, { amounts });
  },
  deleteSource: async (at) => {
    const known = at.recent('card');
    if (known) await at.ask('DELETE', `/customers/${known.customer}/cards/${known.id}`);
  },
};

/** Decisions of banks: pending debits and refunds end, and so do disputes. */
const bankOperations: Readonly<Record<string, Operation>> = {
  endPending: async (at) => {
    await at.shop.product.rows(
      `update test_gateway.operation set settles_at = now() where id in (
         select id from test_gateway.operation where status = 'pending' and settles_at > now() order by id limit 1)`,
    );
  },
  decideDispute: async (at) => {
    await at.shop.product.rows(
      `update test_gateway.dispute set evidence_due_at = now() where reference in (
         select reference from test_gateway.dispute where status = 'open' and opens_at <= now() and evidence_due_at > now() limit 1)`,
    );
  },
};

const operations: Readonly<Record<string, Operation>> = {
  ...documentOperations,
  ...moneyOperations,
  ...sourceOperations,
  ...bankOperations,
};

/** How often each operation is chosen; once, if it is not named. */
const WEIGHTS: Readonly<Record<string, number>> = { invoice: 6, check: 3, charge: 8, pay: 3, refund: 5, reapply: 2 };

const lottery = Object.entries(operations).flatMap(([name, run]) => Array(WEIGHTS[name] ?? 1).fill({ name, run }));

/** Does one random operation. */
export async function act(at: Actor): Promise<void> {
  const { run } = at.oneOf(lottery);
  await run(at);
}
