import type { Context, Middleware } from 'koa';
import { withAccount } from '../../../db/tenant.ts';
import type { ApiDeps } from '../../framework/deps.ts';
import type { ApiState } from '../../framework/state.ts';
import { proxiesOf } from '../../limits/clientAddress.ts';
import { createVisitorLimit } from '../../limits/visitorLimit.ts';
import { askLater } from '../hosted/documents.ts';
import { answerMissing } from '../hosted/page.ts';
import { takePayment } from './paying.ts';
import { leavePayment, showOutcome, showPayPage } from './showing.ts';
import { makeToken } from './tokens.ts';
import { openPosted, openVisit, type PayAddress, type PayDeps, readPayAddress } from './visit.ts';

const PAGE = '/documents/:account/:type/:id/:token';

/** Serves the pages on which an invoice or the deposit of an estimate is paid, below its public URL. Knowing the URL is the only credential. */
export function payPages(
  deps: Omit<PayDeps, 'proxies' | 'limit'> & Pick<ApiDeps, 'trustedProxies'>,
): Middleware<ApiState> {
  const paying = { ...deps, proxies: proxiesOf(deps.trustedProxies), limit: createVisitorLimit(deps) };
  return async (ctx, next) => {
    const address = readPayAddress(ctx.path);
    if (!address || !['GET', 'HEAD', 'POST'].includes(ctx.method)) return next();
    ctx.state.page = `${PAGE}/${partOf(address)}`;
    ctx.set('X-Robots-Tag', 'noindex, nofollow');
    await withAccount(address.document.accountId, () => visit(ctx, paying, address)).catch(askLater(ctx));
  };
}

function partOf({ key, isTokens }: PayAddress): string {
  if (isTokens) return 'pay/tokens';
  return key === null ? 'pay' : 'payments/:key';
}

async function visit(ctx: Context, deps: PayDeps, address: PayAddress): Promise<void> {
  const posted = address.isTokens ? 'page_token' : 'payment';
  await deps.limit(ctx, ctx.method === 'POST' ? posted : 'document');
  const isDone = await serve(ctx, deps, address);
  if (!isDone) await answerMissing(ctx, deps.em.fork(), address.document.accountId);
}

/** False: there is nothing to serve. */
async function serve(ctx: Context, deps: PayDeps, address: PayAddress): Promise<boolean> {
  if (ctx.method === 'POST') return take(ctx, deps, address);
  if (address.isTokens) return false;
  const found = await openVisit(ctx, deps, address);
  if (!found) return false;
  if (address.key !== null) return showOutcome(found, address.key);
  await showPayPage(found);
  return true;
}

/** Takes a form, or what is entered in the fields of a gateway. False: there is nothing that it could be about. */
async function take(ctx: Context, deps: PayDeps, address: PayAddress): Promise<boolean> {
  const posted = await openPosted(ctx, deps, address);
  if (!posted) return false;
  if (address.isTokens) return makeToken(posted);
  if (address.key !== null) return leavePayment(posted, address.key);
  await takePayment(posted);
  return true;
}
