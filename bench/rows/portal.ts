import type { Sql } from '../../db/queries/kernel/sql.ts';
import { createPerson, type Person } from '../../test/support/person.ts';
import { signUpVisitor, type Typed } from '../../test/support/signUpPage.ts';
import { copyInvoice } from '../copiedInvoices.ts';
import { numberOf } from '../database.ts';
import { withInsideApi } from '../insideApi.ts';
import { percentiles } from '../load.ts';
import { cpuMilliseconds } from '../processes.ts';
import { type Figure, fixed } from '../report.ts';
import { addCustomers } from '../sampleData.ts';
import { send } from '../send.ts';
import type { Stage } from '../stage.ts';
import { until, untilQuiet } from '../wait.ts';

const MANY = 10_000;
const AT_ONCE = 200;
const VISITS = 60;
const SIGN_UPS = 200;
const CLIENTS = 8;
const RETURN = 'https://app.example/account';
/** Maximum time to the first byte of a page that is opened alone, milliseconds. */
const FIRST_BYTE_AIM = 50;

const NONE = { reference: '', ratio: '', aim: '', met: null };
const partsOf = ({ postgres, temporal, api, worker }: Stage) => [postgres.pid, temporal.pid, api.pid, worker.pid];

/** The portal of a customer with 10,000 invoices, one payment of 200, and sign-ups. */
export async function measurePortal(stage: Stage, sql: Sql): Promise<Figure[]> {
  await send(stage, 'PATCH /account', { portal_return_urls: [RETURN] });
  const items = [{ name: 'Support', quantity: 1, unit_cost: 100 }];
  const { first, count } = await addCustomers(sql, { count: 4, autopay: false });
  const { id: invoice } = await send(stage, 'POST /invoices', { customer: first, items });
  const copies = async (customer: number, many: number, word: string) => {
    await copyInvoice(sql, { invoice, customers: { first: customer, count }, count: many, each: 2 * many, word });
    return customer;
  };
  const large = await copies(first + 1, MANY, 'large');
  const payers = [await copies(first + 2, AT_ONCE, 'quick'), await copies(first + 3, AT_ONCE, 'counted')] as const;
  await untilQuiet(partsOf(stage), 60);
  return [...(await opened(stage, large)), ...(await paid(stage, payers)), await signedUp(stage, sql)];
}

interface Entered {
  /** The cookies of the browser. */
  cookie: string;
  person: Person;
  /** Path of the portal. */
  root: string;
}

/** Opens the portal of a customer by a link of its product. `origin`: of the API that answers. */
async function enter(stage: Stage, customer: number, origin = stage.origin): Promise<Entered> {
  const { url } = await send(stage, `POST /customers/${customer}/portal_sessions`, { return_url: RETURN });
  const person = createPerson({ origin, deps: { publicUrl: stage.origin } });
  const { pathname } = new URL(url);
  await person.send(await person.open(pathname), pathname);
  const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return { cookie, person, root: pathname.split('/').slice(0, 3).join('/') };
}

/** The time to the first byte of pages that are opened alone, one after another. */
async function opened(stage: Stage, customer: number): Promise<Figure[]> {
  const { cookie, root } = await enter(stage, customer);
  const figures: Figure[] = [];
  for (const [name, path] of [
    ['The overview', ''],
    ['its open documents', '/documents?state=open'],
    ['the review of everything', '/pay/review'],
  ] as const) {
    const times: number[] = [];
    let size = 0;
    for (let visit = 0; visit < VISITS; visit += 1) {
      const begun = performance.now();
      const answer = await fetch(`${stage.origin}${root}${path}`, { headers: { cookie }, redirect: 'manual' });
      times.push(performance.now() - begun);
      size = (await answer.arrayBuffer()).byteLength;
      if (answer.status !== 200) throw new Error(`GET ${root}${path}: ${answer.status}`);
    }
    const { p50, p99 } = percentiles(times.slice(VISITS / 6)); // after a warm-up
    figures.push({
      ...NONE,
      what: `${name}, of a customer with 10,000 open invoices: first byte, alone`,
      figure: `p50 ${fixed(p50, 1)} ms, p99 ${fixed(p99, 1)} ms; ${fixed(size / 1000)} kB`,
      aim: `p50 < ${FIRST_BYTE_AIM} ms`,
      met: p50 < FIRST_BYTE_AIM,
    });
  }
  return figures;
}

/** Pays 200 invoices at once: one customer for the time, another for the statements, in an API of this process. */
async function paid(stage: Stage, [timed, counted]: readonly [number, number]): Promise<Figure[]> {
  const { seconds, cpu } = await payAll(stage, timed);
  await untilQuiet(partsOf(stage), 60);
  const statements = await withInsideApi(stage, async ({ origin, captured }) => {
    const pay = await reviewOf(stage, counted, origin);
    return (await captured(pay)).length;
  });
  const few = `${fixed(seconds, 2)} s, ${statements} statements; ${fixed(cpu)} ms CPU with everything that follows`;
  return [{ ...NONE, what: `One payment of ${AT_ONCE} invoices in the portal, until its page leads on`, figure: few }];
}

async function payAll(stage: Stage, customer: number): Promise<{ seconds: number; cpu: number }> {
  const pay = await reviewOf(stage, customer, stage.origin);
  const [cpu, begun] = [cpuMilliseconds(partsOf(stage)), performance.now()];
  await pay();
  const seconds = (performance.now() - begun) / 1000;
  await untilQuiet(partsOf(stage), 60);
  return { seconds, cpu: cpuMilliseconds(partsOf(stage)) - cpu };
}

/** Opens the page that reviews a payment of everything. Returns the work that pays. */
async function reviewOf(stage: Stage, customer: number, origin: string): Promise<() => Promise<void>> {
  const gateway_token = 'tok_4242424242424242';
  await send(stage, `POST /customers/${customer}/payment_sources`, { method: 'credit_card', gateway_token });
  const { cookie, person, root } = await enter(stage, customer, origin);
  const review = await person.open(`${root}/pay/review`);
  const fields = Object.fromEntries(
    [...review.text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );
  return async () => {
    const to = `${origin}${review.url.pathname}${review.url.search}`;
    const body = new URLSearchParams(fields);
    const answer = await fetch(to, { method: 'POST', body, headers: { cookie }, redirect: 'manual' });
    const text = await answer.text();
    if (answer.status !== 303) throw new Error(`POST ${to}: ${answer.status} ${text.slice(0, 300)}`);
  };
}

/** Sign-ups with a card, whose forms are all opened before the first one is sent. */
async function signedUp(stage: Stage, sql: Sql): Promise<Figure> {
  await send(stage, 'POST /plans', { id: 'portal-gold', name: 'Gold', amount: 20, interval: 'month' });
  const { url } = await send(stage, 'POST /sign_up_pages', { name: 'Join Gold', plans: ['portal-gold'] });
  const tokenOf = async (gateway_token: string) =>
    (await send(stage, 'POST /service_tokens', { method: 'credit_card', gateway_token })).id;
  const visitor = signUpVisitor({ origin: stage.origin, deps: { publicUrl: stage.origin } }, tokenOf, url);
  const forms: Typed[] = [];
  await byClients(SIGN_UPS, async (n) => void forms.push(await visitor.filled({ email: `new${n}@example.com` })));
  await untilQuiet(partsOf(stage), 60);
  const latencies: number[] = [];
  const [cpu, begun] = [cpuMilliseconds(partsOf(stage)), performance.now()];
  await byClients(SIGN_UPS, async (n) => {
    const sentAt = performance.now();
    const { status, html } = await visitor.send(forms[n] ?? {});
    if (status !== 303) throw new Error(`a sign-up was answered with ${status}: ${html.slice(0, 300)}`);
    latencies.push(performance.now() - sentAt);
  });
  const paid = `select count(*) from subscription s join plan p on p.account_id = s.account_id and p.id = s.plan_id
    where p.code = 'portal-gold' and s.status = 'active'
      and exists (select 1 from invoice i where i.account_id = s.account_id and i.customer_id = s.customer_id and i.paid)`;
  const areDone = async () => (await numberOf(sql, paid)) === SIGN_UPS;
  await until(areDone, { what: 'all sign-ups to be paid subscriptions', withinSeconds: 300 });
  const seconds = (performance.now() - begun) / 1000;
  const each = (cpuMilliseconds(partsOf(stage)) - cpu) / SIGN_UPS;
  const { p50, p99 } = percentiles(latencies);
  return {
    ...NONE,
    what: `Sign-ups with a card, until each is a paid subscription, ${CLIENTS} clients`,
    figure: `${fixed(SIGN_UPS / seconds, 1)}/s, ${fixed(each, 1)} ms CPU, p50 ${fixed(p50)} ms, p99 ${fixed(p99)} ms`,
  };
}

async function byClients(count: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  const run = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: CLIENTS }, run));
}
