import type { Context, Middleware } from 'koa';
import { offeredPlans } from '../../../commands/signUps/orders.ts';
import { withAccount } from '../../../db/tenant.ts';
import type { ApiDeps } from '../../framework/deps.ts';
import type { ApiState } from '../../framework/state.ts';
import { proxiesOf } from '../../limits/clientAddress.ts';
import { createVisitorLimit } from '../../limits/visitorLimit.ts';
import { askLater } from '../hosted/documents.ts';
import { answerMissing } from '../hosted/page.ts';
import { answerToken } from '../pay/tokens.ts';
import { readSellingAddress, type SellingAddress } from './address.ts';
import { leaveLinkPayment, showLinkOutcome } from './linkOutcome.ts';
import { makeLinkToken, openLink, showLink, takeLinkPayment } from './linkPaying.ts';
import { leaveSignUp, showSignUpOutcome } from './outcome.ts';
import { payableOf, showSignUpForm, takeSignUpForm } from './signingUp.ts';
import { openSignUp, type SellingDeps, type SignUpVisit } from './visit.ts';

/** Serves sign-up pages, on which anybody can subscribe, and those of payment links. */
export function sellingPages(
  deps: Omit<SellingDeps, 'proxies' | 'limit'> & Pick<ApiDeps, 'trustedProxies'>,
): Middleware<ApiState> {
  const selling = { ...deps, proxies: proxiesOf(deps.trustedProxies), limit: createVisitorLimit(deps) };
  return async (ctx, next) => {
    const address = readSellingAddress(ctx.path);
    if (!address || !['GET', 'HEAD', 'POST'].includes(ctx.method)) return next();
    ctx.state.page = pageOf(address);
    ctx.set('X-Robots-Tag', 'noindex, nofollow');
    await withAccount(address.accountId, () => visit(ctx, selling, address)).catch(askLater(ctx));
  };
}

function pageOf({ kind, key, makesTokens }: SellingAddress): string {
  const page = {
    sign_up: '/sign_up/:account/:id/:token',
    customer: '/sign_up/:account/customers/:id/:token',
    pay: '/pay/:account/:id/:token',
  }[kind];
  return makesTokens ? `${page}/tokens` : key === null ? page : `${page}/:key`;
}

async function visit(ctx: Context, deps: SellingDeps, address: SellingAddress): Promise<void> {
  const posted = address.makesTokens ? 'page_token' : 'sign_up';
  await deps.limit(ctx, ctx.method === 'POST' ? posted : 'document');
  const serve = address.kind === 'pay' ? serveLink : serveSignUp;
  const isDone = await serve(ctx, deps, address);
  if (!isDone) await answerMissing(ctx, deps.em.fork(), address.accountId);
}

/** False: there is nothing to serve. */
async function serveSignUp(ctx: Context, deps: SellingDeps, address: SellingAddress): Promise<boolean> {
  const found = await openSignUp(ctx, deps, address);
  if (!found) return false;
  const isSent = ctx.method === 'POST';
  if (address.makesTokens) return isSent && makeToken(found);
  if (address.key !== null) return isSent ? leaveSignUp(found, address.key) : showSignUpOutcome(found, address.key);
  await (isSent ? takeSignUpForm(found) : showSignUpForm(found));
  return true;
}

/** Makes a service token of what the gateway's fields took, for the currency of the page's plans. */
async function makeToken(visit: SignUpVisit): Promise<boolean> {
  const [plan] = await offeredPlans(visit.em, visit.page);
  if (!plan) return false;
  return answerToken(
    visit.ctx,
    { ...visit.deps, reading: visit.em },
    payableOf(visit, { currency: plan.currency, due: '0' }),
  );
}

/** False: there is nothing to serve. */
async function serveLink(ctx: Context, deps: SellingDeps, address: SellingAddress): Promise<boolean> {
  const found = await openLink(ctx, deps, address);
  if (!found) return false;
  const isSent = ctx.method === 'POST';
  if (address.makesTokens) return isSent && makeLinkToken(found);
  if (address.key !== null) return isSent ? leaveLinkPayment(found, address.key) : showLinkOutcome(found, address.key);
  await (isSent ? takeLinkPayment(found) : showLink(found));
  return true;
}
