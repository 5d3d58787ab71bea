import { type Client, startApi, type TestApi } from './api.ts';
import { POSTMARK, seedSuppression } from './bounces.ts';
import { seedDispute } from './disputes.ts';
import { dkimKey, SENDER } from './dkim.ts';
import type { LocatedOperation } from './openapi.ts';
import { seedProvider, seedText } from './texts.ts';
import { upload } from './upload.ts';
import { seedContract, seedJobs, seedOauth, seedProcesses } from './worldRows.ts';

const CARD = { method: 'credit_card', gateway_token: 'tok_4242424242424242' };

/** Ids of one object of every kind, by the path segment before the id. */
export type World = Record<string, string | number>;

/** Starts an API with one object of every kind in its sandbox. */
export async function startWorld(
  overrides?: Parameters<typeof startApi>[0],
): Promise<{ api: TestApi; client: Client; world: World }> {
  const api = await startApi(overrides);
  return { api, client: api.sandbox, world: await seedWorld(api, api.sandbox) };
}

/** Creates one object of every kind. Returns their ids. */
export async function seedWorld(api: TestApi, client: Client): Promise<World> {
  const { make } = client;
  // The examples pay invoices in full, so credit must not pay a part of them first.
  await client.patch('/account', { apply_credits_at_issue: false });
  const customers = (await make('/customers', { name: 'Ours', email: 'ours@example.com', autopay: true })).id;
  const source = `/customers/${customers}/payment_sources`;
  const cards = (await make(source, { ...CARD, make_default: true })).id;
  const account = { method: 'ach', gateway_token: 'tok_110000000_123456789' };
  const bank_accounts = (await make(source, account)).id;
  const unverified = (await make(source, { method: 'ach', gateway_token: 'tok_110000000_000123456789' })).id;
  const items = (await make('/items', { id: 'our-item', name: 'Ours', unit_cost: 0.1 })).id;
  const plans = (await make('/plans', { id: 'our-plan', name: 'Ours', amount: 9.99, interval: 'month' })).id;
  const sign_up_pages = (await make('/sign_up_pages', { name: 'Ours', plans: ['our-plan'] })).id;
  const payment_links = (await make('/payment_links', { name: 'Ours', amount: 5 })).id;
  const coupons = (await make('/coupons', { id: 'our-coupon', name: 'Ours', value: 5 })).id;
  const tax_rates = (await make('/tax_rates', { id: 'our-rate', name: 'Ours', value: 19 })).id;
  const taxed = (await make('/tax_rates', { id: 'our-taxed', name: 'Ours', value: 7 })).id;
  const gl_accounts = (await make('/gl_accounts', { code: 'ours', name: 'Ours' })).id;
  const tax_rules = (await make('/tax_rules', { tax_rate: taxed, country: 'AQ' })).id;
  const late_fee_schedules = (await make('/late_fee_schedules', { name: 'Ours', amount: 2 })).id;
  const chaseSteps = [{ name: 'Call', action: 'phone', schedule: 'age:9' }];
  const chasing_cadences = (await make('/chasing_cadences', { name: 'Ours', steps: chaseSteps })).id;
  const invoiceSteps = [{ name: 'Call', action: 'phone', schedule: 'after_due:9' }];
  const invoice_chasing_cadences = (await make('/invoice_chasing_cadences', { name: 'Ours', steps: invoiceSteps })).id;
  const lines = [
    { catalog_item: items, quantity: 2.5 },
    { name: 'Fee', unit_cost: 100 },
  ];
  const invoices = (await make('/invoices', { customer: customers, items: lines })).id;
  const planned = (await make('/invoices', { customer: customers, items: [{ name: 'Roof', unit_cost: 120 }] })).id;
  const installments = [4_070_908_800, 4_073_587_200].map((date) => ({ date, amount: 60 }));
  const payment_plans = (await client.request('PUT', `/invoices/${planned}/payment_plan`, { installments })).body.id;
  const applied_to = [{ type: 'invoice', invoice: invoices, amount: 10 }];
  const payments = (await make('/payments', { customer: customers, amount: 10, applied_to })).id;
  const adjustment = { customer: customers, amount: 7, notes: 'Goodwill' };
  const credit_balance_adjustments = (await make('/credit_balance_adjustments', adjustment)).id;
  const estimates = (await make('/estimates', { customer: customers, items: lines })).id;
  const givenUp = (await make('/invoices', { customer: customers, items: [{ name: 'Roof', unit_cost: 900 }] })).id;
  await client.post(`/invoices/${givenUp}/write_off`, { amount: 1, reason: 'Ours' });
  const write_offs = (await client.get('/write_offs')).body[0].id;
  const credit_notes = (await make('/credit_notes', { customer: customers, items: lines })).id;
  const charges = (await make('/charges', { customer: customers, amount: 9, applied_to: [], ...CARD })).charge.id;
  await make(`/charges/${charges}/refunds`, { amount: 1 });
  const transferred = (await make('/payments', { customer: customers, amount: 900 })).id;
  const refunds = (await make('/refunds', { payment: transferred, amount: 1, method: 'check' })).id;
  const disputes = await seedDispute(api, client, customers);
  const subscriptions = (await make('/subscriptions', { customer: customers, plan: plans })).id;
  const ended = await seedContract(api, client, plans);
  await client.patch('/account', {
    portal_changes: { max_quantity: 10 },
    portal_cancel: 'period_end',
    portal_promise_days: 366,
    portal_disputes: true,
  });
  const chosen = (await make('/subscriptions', { customer: customers, plan: plans })).id;
  const promised = (await make('/invoices', { customer: customers, items: lines })).id;
  const disputed = await make('/invoices', { customer: customers, items: lines });
  const usage = { interval: 'month', quantity_type: 'usage' };
  const calls = (await make('/plans', { id: 'our-calls', name: 'Calls', amount: 0.25, ...usage })).id;
  const metered = (await make('/subscriptions', { customer: customers, plan: calls })).id;
  const webhooks = (await make('/webhooks', { url: 'http://127.0.0.1:9/', events: ['invoice.paid'] })).id;
  const keys = { secret_key: 'sk_test_OurWorld', publishable_key: 'pk_test_OurWorld' };
  const stripe = { gateway: 'stripe', name: 'Ours', ...keys };
  const merchant_accounts = (await make('/merchant_accounts', stripe)).id;
  const sms_templates = (await make('/sms_templates', { name: 'Ours', message: '{{amount}}' })).id;
  const choosing = { object: 'item', name: 'Ours', type: 'enum', choices: ['One'] };
  const custom_fields = (await make('/custom_fields', { id: 'ours', ...choosing })).id;
  const saved_views = (await make('/saved_views', { name: 'Ours', list: 'invoices', shared: true })).id;
  const themes = (await make('/themes', { name: 'Ours', accent_color: '#7c2d12' })).id;
  const message_providers = await seedProvider(client);
  const mail_providers = (await make('/mail_providers', POSTMARK)).id;
  const private_key = dkimKey().privateKey;
  const mail_senders = (await make('/mail_senders', { ...SENDER, private_key })).id;
  const suppressions = await seedSuppression(api, client, 'refused@example.com');
  const spare = (await make('/customers', { name: 'Spare' })).id;
  const merged = (await make('/customers', { name: 'Merged' })).id;
  const owing = (await make('/customers', { name: 'Owing', email: 'owing@example.com' })).id;
  await make('/invoices', { customer: owing, items: lines });
  const consolidated = (await make('/customers', { name: 'Consolidated', consolidated: true })).id;
  for (const unit_cost of [1, 2]) await make('/invoices', { customer: consolidated, items: [{ unit_cost }] });
  const test_clocks = (await make('/test_clocks', { name: 'Ours', frozen_time: 1_790_000_000 })).id;
  const parts = [{ name: 'file', filename: 'ours.pdf', type: 'application/pdf', content: '%PDF-1.7' }];
  const files = (await upload(client, parts)).body.id;
  const [sent] = (await client.post(`/invoices/${invoices}/emails`)).body;
  const emails = Number(sent.id);
  const api_keys = (await make('/api_keys', { name: 'Spare' })).id;
  const contacts = (await make(`/customers/${customers}/contacts`, { name: 'Ours', primary: true })).id;
  const notes = (await make('/notes', { customer: customers, invoice: invoices, notes: 'Ours' })).id;
  const tasks = (await make('/tasks', { customer: customers, name: 'Ours', action: 'phone' })).id;
  const text_messages = await seedText(api, client, customers);
  const lined = (await make('/customers', { name: 'Lined' })).id;
  const billed = (await make('/customers', { name: 'Billed' })).id;
  await make(`/customers/${billed}/line_items`, { name: 'Usage', unit_cost: 1 });
  const line_items = (await make(`/customers/${lined}/line_items`, { name: 'Usage', unit_cost: 1 })).id;
  const events = (await client.get('/events')).body[0].id;
  const pdf_templates = 'invoice';
  await client.patch(`/pdf_templates/${pdf_templates}`, { paper: 'letter' });
  const roles = (await make('/roles', { id: 'our-role', name: 'Ours', permissions: ['catalog.read'] })).id;
  const members = (await make('/members', { email: `invited.${client.account.id}@example.com`, role: 'employee' })).id;
  const email_templates = 'new_invoice_email-en';
  for (const subject of ['First', 'Second']) await client.patch(`/email_templates/${email_templates}`, { subject });
  await client.patch('/account', { email: 'ada@acme.example', portal_return_urls: ['https://app.example/account'] });
  const ids = {
    customers,
    cards,
    bank_accounts,
    unverified,
    items,
    plans,
    sign_up_pages,
    payment_links,
    coupons,
    tax_rates,
    taxed,
    gl_accounts,
    tax_rules,
    late_fee_schedules,
    chasing_cadences,
    invoice_chasing_cadences,
    invoices,
    write_offs,
    givenUp,
    planned,
    payment_plans,
    payments,
    transferred,
    charges,
    refunds,
    disputes,
    credit_balance_adjustments,
    estimates,
    lined,
    billed,
    line_items,
    credit_notes,
    subscriptions,
    ended,
    chosen,
    promised,
    disputed: disputed.id,
    disputed_line: disputed.items[0].id,
    metered,
    webhooks,
    merchant_accounts,
    sms_templates,
    custom_fields,
    saved_views,
    themes,
    pdf_templates,
    message_providers,
    mail_providers,
    mail_senders,
    private_key,
    suppressions,
    text_messages,
    payment_methods: 'check',
    email_templates,
    spare,
    owing,
    merged,
    consolidated,
    test_clocks,
    contacts,
    notes,
    tasks,
    members,
    roles,
  };
  // The stuck invoice is a separate one, because other requests on it would solve its problem.
  const stuck = (await make('/invoices', { customer: customers, items: lines })).id;
  const processes = await seedProcesses(api, client, { invoices: stuck, webhooks, events });
  const more = { ...processes, ...(await seedJobs(api, client)), ...(await seedOauth(api, client)) };
  return { ...ids, files, emails, api_keys, events, ...more };
}

/** A request of an operation that succeeds in this world: its path, and the example body of the document. */
export function requestIn(world: World, { path, operation }: LocatedOperation): { path: string; body?: unknown } {
  const other = others[operation.operationId] ?? {};
  const { in: inPath = 'customers', with: inBody = 'customers', on, bank, of } = other;
  const subscriptions = world[on ?? 'subscriptions'] ?? 'none';
  const bank_accounts = world[bank ?? 'bank_accounts'] ?? 'none';
  const invoices = world[of ?? 'invoices'] ?? 'none';
  const members = world[other.member ?? 'members'] ?? 'none';
  const jobs = world[other.job ?? 'jobs'] ?? 'none';
  const own = { subscriptions, bank_accounts, invoices, members, jobs };
  const ids: World = { ...world, customers: world[inPath] ?? 'none', ...own };
  const filled = path.replace(/(\w+)\/\{\w+\}/g, (_, kind: string) => `${kind}/${ids[kind] ?? 'none'}`);
  const [example] = Object.values(operation.requestBody?.content['application/json']?.examples ?? {});
  return {
    path: filled,
    ...(example ? { body: localized({ ...world, customers: world[inBody] ?? 'none' }, example.value) } : {}),
  };
}

/**
 * Operations that would make the main customer unusable. They have their own customer, `in` the path or `with` it in the body, or work `on`
 * another subscription, with another `bank` account, the plan `of` another invoice, another `member` or another `job`.
 */
const others: Record<
  string,
  { in?: string; with?: string; on?: string; bank?: string; of?: string; member?: string; job?: string }
> = {
  createPendingLineItem: { in: 'lined' },
  listPendingLineItems: { in: 'lined' },
  readPendingLineItem: { in: 'lined' },
  updatePendingLineItem: { in: 'lined' },
  deletePendingLineItem: { in: 'lined' },
  invoicePendingLineItems: { in: 'billed' },
  deleteCustomer: { in: 'spare' },
  anonymizeCustomer: { in: 'spare' },
  mergeCustomers: { with: 'merged' },
  consolidateInvoices: { in: 'consolidated' },
  previewReminder: { in: 'owing' },
  verifyBankAccount: { bank: 'unverified' },
  renewSubscription: { on: 'ended' },
  readSelfService: { on: 'chosen' },
  previewSelfService: { on: 'chosen' },
  promiseInvoice: { of: 'promised' },
  disputeInvoiceLine: { of: 'disputed' },
  setPaymentPlan: { of: 'planned' },
  writeOffInvoice: { of: 'givenUp' },
  updatePaymentPlan: { of: 'planned' },
  createPaymentPlan: { of: 'planned' },
  readPaymentPlan: { of: 'planned' },
  cancelPaymentPlan: { of: 'planned' },
  createUsage: { on: 'metered' },
  createUsageBatch: { on: 'metered' },
  resetFactors: { member: 'joined' },
  cancelJob: { job: 'waiting' },
};

/** Fields of examples that refer to objects, with the kind of object. */
const named: Record<string, string> = {
  customer: 'customers',
  invoice: 'invoices',
  payment: 'transferred',
  plan: 'plans',
  catalog_item: 'items',
  tax_rate: 'taxed',
  line_item: 'disputed_line',
  private_key: 'private_key',
};

function localized(world: World, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((element) => localized(world, element));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (name === 'recipients') return [name, [world.recipient]];
      if (name === 'plans') return [name, [world.plans]];
      const kind = named[name];
      return [name, kind === undefined ? localized(world, member) : world[kind]];
    }),
  );
}

/** The kinds of which an account has one, with the path of their list. */
const single: Readonly<Record<string, string>> = { MessageProvider: 'message_providers', MailSender: 'mail_senders' };

/** Deletes the one object of such a kind before the operation that creates it, and finds it before other operations. */
export async function replaceSingle(client: Client, world: World, id: string): Promise<void> {
  for (const [kind, path] of Object.entries(single)) {
    if (id === `create${kind}`) await client.delete(`/${path}/${world[path]}`);
    else if (id.endsWith(kind)) world[path] = (await client.get(`/${path}`)).body[0].id;
  }
}
