import type { BlockList } from 'node:net';
import type { Context, Middleware } from 'koa';
import { awaitsApproval, isRunning } from '../../../billing/collection/paymentPlan.ts';
import { whyUnpayable } from '../../../billing/payments/payable.ts';
import { Refusal } from '../../../billing/refusal.ts';
import { pageTokenOf } from '../../../commands/customers/customers.ts';
import { sellerHead } from '../../../commands/documents/sellerHead.ts';
import { approvePlan, offerOf } from '../../../commands/invoices/planApproval.ts';
import { Missing } from '../../../commands/kernel/missing.ts';
import { failpoint } from '../../../db/failpoint.ts';
import { Account } from '../../../db/schema/account.ts';
import type { Invoice } from '../../../db/schema/invoice.ts';
import { PaymentPlan } from '../../../db/schema/paymentPlan.ts';
import { withAccount } from '../../../db/tenant.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { writingFor } from '../../../present/emails/writing.ts';
import { documentUrl, payUrlOf } from '../../../present/kernel/links.ts';
import { LARGEST_ID } from '../../body/readers.ts';
import type { ApiDeps } from '../../framework/deps.ts';
import type { ApiState } from '../../framework/state.ts';
import { clientAddress, proxiesOf } from '../../limits/clientAddress.ts';
import { createVisitorLimit, type VisitorLimit } from '../../limits/visitorLimit.ts';
import { askLater } from '../hosted/documents.ts';
import { answerMissing } from '../hosted/page.ts';
import { readConsent } from '../kit/consent.ts';
import { answerPage } from '../kit/page.ts';
import { readForm, seeOther } from '../kit/posted.ts';
import { hasToken, managingPath } from './address.ts';
import { hostOf } from './frame.ts';
import { agreementOf, type PlanError, type PlanPage, planOutcomePage, planPage } from './planPage.ts';

interface PlanDeps extends Pick<ApiDeps, 'em' | 'poke' | 'systemNow'> {
  proxies: BlockList;
  limit: VisitorLimit;
}

const ADDRESS = /^\/portal\/(\d{1,9})\/payment_plans\/(\d{1,10})\/([0-9a-f]{32})\/approve$/;
/** The account under which a request runs whose path is not that of a payment plan. */
const NOBODY = 0;

/** Serves the pages on which customers approve payment plans. Knowing the URL is the only credential. */
export function planPages(
  deps: Omit<PlanDeps, 'proxies' | 'limit'> & Pick<ApiDeps, 'trustedProxies'>,
): Middleware<ApiState> {
  const serving = { ...deps, proxies: proxiesOf(deps.trustedProxies), limit: createVisitorLimit(deps) };
  return async (ctx, next) => {
    if (!/^\/portal\/\d+\/payment_plans\//.test(ctx.path)) return next();
    ctx.state.page = '/portal/:account/payment_plans/:id/:token/approve';
    if (!['GET', 'HEAD', 'POST'].includes(ctx.method)) return next();
    ctx.set('X-Robots-Tag', 'noindex, nofollow');
    const [, account = '', id = '', token = ''] = ADDRESS.exec(ctx.path) ?? [];
    const address = { accountId: Number(account) || NOBODY, id: Number(id), token };
    await withAccount(address.accountId, () => visit(ctx, serving, address)).catch(askLater(ctx));
  };
}

interface PlanAddress {
  accountId: number;
  id: number;
  token: string;
}

async function visit(ctx: Context, deps: PlanDeps, address: PlanAddress): Promise<void> {
  const isSent = ctx.method === 'POST';
  await deps.limit(ctx, isSent ? 'answer' : 'document');
  const opened = await open(ctx, deps, address);
  if (!opened) await answerMissing(ctx, deps.em.fork(), address.accountId);
  else if (isSent) await take(opened);
  else await show(opened, null);
}

/** A visit to the page of a plan. */
interface PlanVisit {
  ctx: Context;
  deps: PlanDeps;
  account: Account;
  plan: PaymentPlan;
  page: PlanPage;
}

/** Finds the plan of an address. Null: there is none, or its link was revoked. */
async function open(ctx: Context, deps: PlanDeps, { accountId, id, token }: PlanAddress): Promise<PlanVisit | null> {
  if (id > LARGEST_ID || token === '') return null;
  const em = deps.em.fork();
  const account = await em.findOne(Account, { id: accountId });
  const plan = await em.findOne(
    PaymentPlan,
    { accountId, id },
    { populate: ['invoice', 'invoice.customer.defaultSource'] },
  );
  if (!account || !plan || !hasToken({ token }, { token: plan.approvalToken })) return null;
  const { invoice } = plan;
  const { customer } = invoice;
  if (customer.anonymizedAt || invoice.deletedAt) return null;
  const terms = { currency: invoice.currency, timeZone: invoice.timeZone };
  const head = await sellerHead(em, { account, customer }, terms);
  const writing = writingFor(account, customer, terms);
  const number = invoice.number ?? `${invoice.id}`;
  const offer = offerOf(invoice, customer, plan);
  return {
    ctx,
    deps,
    account,
    plan,
    page: { host: hostOf(account, head), writing, path: ctx.path, number, offer, links: linksTo(invoice) },
  };
}

/** The paths of an invoice and of its payment. */
function linksTo(invoice: Invoice): PlanPage['links'] {
  const path = (url: string) => new URL(url).pathname;
  const pay = whyUnpayable(invoice) === null ? path(payUrlOf(invoice)) : null;
  return { invoice: path(documentUrl('invoice', invoice)), pay };
}

/** Records the approval that was sent, and leads back to the page, or shows why it is refused. */
async function take(visit: PlanVisit): Promise<void> {
  const { ctx, deps, account, plan, page } = visit;
  const form = await readForm(ctx);
  if (!isOpen(plan)) return show(visit, null);
  const typed = form.get('initials') ?? '';
  const initials = typed.includes('\0') ? '' : typed;
  const agreed = agreementOf(page.host, page.offer);
  const given = readConsent(form, agreed);
  if (form.get('seen') !== page.offer.seen || given === 'changed') return show(visit, { error: 'changed', initials });
  if (given === 'missing') return show(visit, { error: 'consent', initials });
  const ip = clientAddress(ctx.req.socket.remoteAddress ?? '', ctx.get('X-Forwarded-For'), deps.proxies);
  const userAgent = ctx.get('User-Agent') || null;
  const token = plan.approvalToken ?? '';
  const approval = { account, id: plan.id, token, seen: page.offer.seen, initials, ip, userAgent, agreed };
  try {
    await inTransaction(deps.em, async (em) => {
      await approvePlan(em, approval, deps.systemNow());
      await failpoint('approval.before_commit');
    });
    await failpoint('approval.committed');
  } catch (error) {
    if (error instanceof Missing) return showAgain(visit, 'changed', initials);
    if (!(error instanceof Refusal)) throw error;
    return showAgain(visit, error.param === 'initials' ? 'initials' : 'changed', initials);
  }
  deps.poke();
  seeOther(ctx, ctx.path);
}

/** Shows the plan as it is now, after an approval was refused. */
async function showAgain({ ctx, deps, account, plan }: PlanVisit, error: PlanError, initials: string): Promise<void> {
  const address = { accountId: account.id, id: plan.id, token: plan.approvalToken ?? '' };
  const opened = await open(ctx, deps, address);
  if (!opened) return answerMissing(ctx, deps.em.fork(), account.id);
  await show(opened, { error, initials });
}

async function show(visit: PlanVisit, refused: { error: PlanError; initials: string } | null): Promise<void> {
  const { ctx, plan, page } = visit;
  if (isOpen(plan)) return answerPage(ctx, planPage(page, refused), refused ? 400 : 200);
  const { host, writing } = page;
  const { approval } = plan;
  const isOver = !isRunning(plan) || (plan.invoice.closed && !approval);
  const needsSource = plan.status === 'pending_signup' && !isOver;
  const sourcePath = needsSource ? await sourcePathOf(visit) : null;
  const running = approval ? 'approved' : 'active';
  const over = plan.status === 'finished' ? 'finished' : 'canceled';
  const state = isOver ? over : running;
  const signed = approval ? { initials: approval.initials, at: new Date(approval.at) } : null;
  const shown = planOutcomePage({ host, writing, state, approval: signed, sourcePath, page });
  answerPage(ctx, shown, refused || (ctx.method === 'POST' && !approval) ? 400 : 200);
}

/** Whether the customer can approve a plan now. */
function isOpen(plan: PaymentPlan): boolean {
  return awaitsApproval(plan) && !plan.invoice.closed;
}

/** The path of the page on which the customer adds a payment source. */
async function sourcePathOf({ deps, account, plan }: PlanVisit): Promise<string> {
  const { customer } = plan.invoice;
  const token = customer.token ?? (await inTransaction(deps.em, (inner) => pageTokenOf(inner, customer)));
  return managingPath('sources', { accountId: account.id, id: customer.id, token });
}
