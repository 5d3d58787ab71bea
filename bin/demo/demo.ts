import { type Charge, type Client, createClient, type Invoice } from '../../client/index.ts';
import { type Running, readRunning } from '../supervise/running.ts';
import { type Cast, gather } from './cast.ts';
import { readMailbox } from './mailbox.ts';
import { advanceClock, invoiceLine, money, monthOf } from './months.ts';
import { type Receiver, startReceiver } from './receiver.ts';

/** The addresses and the key of the running instance that the demo needs. */
export type Product = Pick<Running, 'sandbox_api_url' | 'sandbox_key' | 'docs_url' | 'mailbox_url' | 'temporal_ui_url'>;

type Print = (line: string) => void;

/** Runs the demo on the instance that runs in the data folder. Returns the exit code. */
export async function demo(dataFolder: string, print: Print = console.log): Promise<number> {
  const running = readRunning(dataFolder);
  if (running) return playDemo(running, print);
  print('No instance is running: run `npm start` in one terminal, then `npm run demo` in another.');
  return 1;
}

/**
 * Bills two subscriptions for a year on a test clock, through the typed client, and prints each month. Amounts are sums of API responses.
 */
export async function playDemo(product: Product, print: Print): Promise<number> {
  const client = createClient({ baseUrl: product.sandbox_api_url, apiKey: product.sandbox_key });
  const startedAt = performance.now();
  const receiver = await startReceiver();
  const webhook = await client.post('/webhooks', { url: receiver.url, events: '*', description: 'npm run demo' });
  receiver.trust(webhook.secret);
  try {
    const [latest] = await client.get('/events');
    const demo = { client, product, receiver, print, since: latest?.id ?? 0 };
    const cast = await gather(client);
    print('A year of billing, on a test clock.\n');
    print(
      'On 15 January 2027 Ada and Ben subscribe to Gold: 2 seats at 24.50 a month, charged to their cards by AutoPay.',
    );
    print("Ada's card always pays. Ben will have no money from 1 to 29 June.\n");
    let printed = 0;
    for (let month = 0; month < 12; month++) printed = await playMonth(demo, cast, { month, printed });
    await printSummary(demo, cast, (performance.now() - startedAt) / 1000);
    return 0;
  } finally {
    await client.delete('/webhooks/{id}', { id: webhook.id });
    receiver.close();
  }
}

interface Demo {
  client: Client;
  product: Product;
  receiver: Receiver;
  print: Print;
  /** Id of the last event before the demo. */
  since: number;
}

/** Plays a month. `printed`: number of mails that earlier months have printed. Returns the number of mails printed so far. */
async function playMonth(
  { client, product, receiver, print, since }: Demo,
  cast: Cast,
  { month, printed }: { month: number; printed: number },
): Promise<number> {
  const [from, end] = [Date.UTC(2027, month, 1) / 1000, Date.UTC(2027, month + 1, 1) / 1000 - 1];
  const clock = await advanceClock(client, cast.clock.id, end);
  print(monthOf(from));
  const [invoices, charges] = await Promise.all([invoicesOf(client, cast), chargesOf(client, cast)]);
  for (const invoice of invoices.filter(({ date }) => date >= from && date <= end)) {
    print(`  ${invoiceLine(invoice, invoice.customer === cast.ben.id ? 'Ben' : 'Ada', { charges, clock })}`);
  }
  await receiver.until(await eventsSince(client, since));
  const mails = (await mailOf(product, cast))?.slice(printed) ?? [];
  for (const subject of mails) print(`  mail: ${subject}`);
  print(`  webhooks verified so far: ${receiver.verified.size}; ${await booksOf(client, cast)}\n`);
  return printed + mails.length;
}

async function printSummary(
  { client, product, receiver, print, since }: Demo,
  cast: Cast,
  seconds: number,
): Promise<void> {
  const events = await eventsSince(client, since);
  const [first = 0, second = 0] = cast.subscriptions;
  print(
    `That was a year, in ${seconds.toFixed(1)} s. ${receiver.verified.size} of ${events} webhooks had a valid signature.`,
  );
  print(`In the books: ${await booksOf(client, cast)}.\n`);
  const query = encodeURIComponent(`PerennialSubject IN ("subscription/${first}", "subscription/${second}")`);
  if (product.temporal_ui_url)
    print(`  their workflows  ${product.temporal_ui_url}/namespaces/default/workflows?query=${query}`);
  if (product.mailbox_url) print(`  their mail       ${product.mailbox_url}`);
  print(`  reference        ${product.docs_url}`);
  print(`  what happened    GET ${product.sandbox_api_url}/test_clocks/${cast.clock.id}/steps`);
  const links = await makeLinks({ client, product }, cast);
  print(`  pay an invoice   ${links.pay}`);
  print(`  Ada's portal     ${links.portal}`);
  print('                   opens once within five minutes; later she signs in with her email address at');
  print(`                   ${links.later}`);
  print(`  sign up          ${links.signUp}`);
  print(`  pay by a link    ${links.link}`);
  print(`  to clear it all  DELETE ${product.sandbox_api_url}/test_clocks/${cast.clock.id}`);
}

/**
 * Makes an invoice that waits for its payment, a link into a portal, a sign-up page and a payment link. Returns the addresses of their pages. The portal
 * leads back to the reference, as it would to a product.
 */
async function makeLinks({ client, product }: Pick<Demo, 'client' | 'product'>, { plan, ada }: Cast) {
  const items = [{ name: 'Workshop', unit_cost: 120 }];
  const invoice = await client.post('/invoices', { customer: ada.id, autopay: false, items });
  const offer = { plans: [plan.id], max_quantity: 50, trial_days: 14 };
  const page = await client.post('/sign_up_pages', {
    name: 'Join Gold',
    description: 'Try it for two weeks.',
    ...offer,
  });
  const link = await client.post('/payment_links', { name: 'Donation', min_amount: 5 });
  const { portal_return_urls: known, portal_url: later } = await client.get('/account');
  const back = product.docs_url;
  if (!known.includes(back)) await client.patch('/account', { portal_return_urls: [...known, back] });
  const session = await client.post(
    '/customers/{customer_id}/portal_sessions',
    { return_url: back },
    { customer_id: ada.id },
  );
  return { pay: invoice.payment_url ?? '', portal: session.url, later, signUp: page.url, link: link.url };
}

async function invoicesOf(client: Client, { ada, ben }: Cast): Promise<Invoice[]> {
  const each = [ada, ben].map(({ id }) => client.get('/invoices', { filter: { customer: id } }));
  return (await Promise.all(each)).flat();
}

async function chargesOf(client: Client, { ada, ben }: Cast): Promise<Charge[]> {
  const each = [ada, ben].map(({ id }) => client.get('/charges', { filter: { customer: id } }));
  return (await Promise.all(each)).flat();
}

async function booksOf(client: Client, cast: Cast): Promise<string> {
  const invoices = await invoicesOf(client, cast);
  const payments = await Promise.all(
    [cast.ada, cast.ben].map(({ id }) => client.get('/payments', { filter: { customer: id } })),
  );
  const sum = (amounts: number[]) => money(amounts.reduce((total, amount) => total + amount, 0));
  const billed = sum(invoices.map(({ total }) => total));
  const collected = sum(payments.flat().map(({ amount }) => amount));
  return `billed ${billed}, collected ${collected}, owed ${sum(invoices.map(({ balance }) => balance))}`;
}

/** Counts the account's events after this id. The demo's endpoint gets all of them. */
async function eventsSince(client: Client, since: number): Promise<number> {
  let count = 0;
  for await (const _ of client.list('/events', { after_id: since })) count += 1;
  return count;
}

function mailOf({ mailbox_url }: Product, { ada, ben }: Cast): Promise<string[] | null> {
  return readMailbox(mailbox_url, [ada.email ?? '', ben.email ?? '']);
}
