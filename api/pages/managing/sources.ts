import type { Context, Middleware } from 'koa';
import { withAccount } from '../../../db/tenant.ts';
import type { ApiDeps } from '../../framework/deps.ts';
import type { ApiState } from '../../framework/state.ts';
import { proxiesOf } from '../../limits/clientAddress.ts';
import { createVisitorLimit } from '../../limits/visitorLimit.ts';
import { askLater } from '../hosted/documents.ts';
import { answerMissing } from '../hosted/page.ts';
import { type ManagingAddress, readManagingAddress } from './address.ts';
import { makeSourceToken, takeAmounts, takeSource } from './addSource.ts';
import { showOutcome, showSourcePage } from './showSource.ts';
import { openSourceVisit, type SourceDeps } from './visit.ts';

const PAGE = '/sources/:account/:customer/:token';
/** The account under which a request runs whose path is not that of a customer. */
const NOBODY = 0;

/** Serves the pages on which customers add payment sources. Knowing the URL is the only credential. */
export function sourcePages(
  deps: Omit<SourceDeps, 'proxies' | 'limit'> & Pick<ApiDeps, 'trustedProxies'>,
): Middleware<ApiState> {
  const serving = { ...deps, proxies: proxiesOf(deps.trustedProxies), limit: createVisitorLimit(deps) };
  return async (ctx, next) => {
    if (!ctx.path.startsWith('/sources/')) return next();
    const address = readManagingAddress(ctx.path);
    ctx.state.page = address?.key ? `${PAGE}/:key` : address?.makesTokens ? `${PAGE}/tokens` : PAGE;
    if (!['GET', 'HEAD', 'POST'].includes(ctx.method)) return next();
    ctx.set('X-Robots-Tag', 'noindex, nofollow');
    await withAccount(address?.accountId ?? NOBODY, () => visit(ctx, serving, address)).catch(askLater(ctx));
  };
}

async function visit(ctx: Context, deps: SourceDeps, address: ManagingAddress | null): Promise<void> {
  await deps.limit(ctx, ctx.method === 'POST' ? 'source' : 'document');
  const isDone = address?.kind === 'sources' && (await serve(ctx, deps, address));
  if (!isDone) await answerMissing(ctx, deps.em.fork(), address?.accountId ?? NOBODY);
}

/** False: there is nothing to serve. */
async function serve(ctx: Context, deps: SourceDeps, address: ManagingAddress): Promise<boolean> {
  const found = await openSourceVisit(ctx, deps, address);
  if (!found) return false;
  const isSent = ctx.method === 'POST';
  if (address.makesTokens) return isSent && makeSourceToken(found);
  if (address.key !== null) return isSent ? takeAmounts(found, address.key) : showOutcome(found, address.key);
  await (isSent ? takeSource(found) : showSourcePage(found));
  return true;
}
