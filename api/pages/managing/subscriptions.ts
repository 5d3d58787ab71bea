import type { Context, Middleware } from 'koa';
import { setting } from '../../../billing/settings.ts';
import { pageTokenOf } from '../../../commands/customers/customers.ts';
import { sellerHead } from '../../../commands/documents/sellerHead.ts';
import { subscriptionOnPage } from '../../../commands/subscriptions/changes/onPage.ts';
import { Account } from '../../../db/schema/account.ts';
import { Subscription } from '../../../db/schema/subscription.ts';
import { withAccount } from '../../../db/tenant.ts';
import { inDryRun, inTransaction } from '../../../db/transaction.ts';
import { writingFor } from '../../../present/emails/writing.ts';
import type { ApiDeps } from '../../framework/deps.ts';
import type { ApiState } from '../../framework/state.ts';
import { createVisitorLimit, type VisitorLimit } from '../../limits/visitorLimit.ts';
import { askLater } from '../hosted/documents.ts';
import { answerMissing } from '../hosted/page.ts';
import { answerPage } from '../kit/page.ts';
import { hasToken, type ManagingAddress, managingPath, readManagingAddress } from './address.ts';
import { hostOf } from './frame.ts';
import { subscriptionPage } from './subscriptionPage.ts';

type Showing = Pick<ApiDeps, 'em' | 'systemNow'> & { limit: VisitorLimit };

/** Serves subscriptions at their public URLs, to look at. Knowing the URL is the only credential. */
export function subscriptionPages(deps: Pick<ApiDeps, 'em' | 'systemNow' | 'trustedProxies'>): Middleware<ApiState> {
  const showing = { ...deps, limit: createVisitorLimit(deps) };
  return async (ctx, next) => {
    if (!ctx.path.startsWith('/subscriptions/')) return next();
    ctx.state.page = '/subscriptions/:account/:id/:token';
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    ctx.set('X-Robots-Tag', 'noindex, nofollow');
    const address = readManagingAddress(ctx.path);
    await withAccount(address?.accountId ?? NOBODY, () => visit(ctx, showing, address)).catch(askLater(ctx));
  };
}

/** The account under which a request runs whose path is not that of a subscription. */
const NOBODY = 0;

async function visit(ctx: Context, deps: Showing, address: ManagingAddress | null): Promise<void> {
  await deps.limit(ctx, 'subscription');
  const isDone =
    address && address.kind === 'subscriptions' && address.path === ctx.path && (await show(ctx, deps, address));
  if (!isDone) await answerMissing(ctx, deps.em.fork(), address?.accountId ?? NOBODY);
}

/** False: there is no such subscription. */
async function show(ctx: Context, { em, systemNow }: Showing, address: ManagingAddress): Promise<boolean> {
  const { accountId, id } = address;
  const reading = em.fork();
  const account = await reading.findOne(Account, { id: accountId });
  const found = await reading.findOne(Subscription, { accountId, id }, { populate: ['customer'] });
  if (!account || !found || found.customer.anonymizedAt || !hasToken(address, found)) return false;
  const shown = await inDryRun(em, (inner) => subscriptionOnPage(inner, { account, id }, systemNow()));
  const { customer, terms } = shown;
  const head = await sellerHead(reading, { account, customer }, terms);
  const writing = writingFor(account, customer, terms);
  const token = customer.token ?? (await inTransaction(em, (inner) => pageTokenOf(inner, customer)));
  const portalPath = setting(account, 'portal_enabled') ? `/portal/${accountId}/subscriptions/${id}` : null;
  const sourcePath = managingPath('sources', { accountId, id: customer.id, token });
  answerPage(ctx, subscriptionPage({ host: hostOf(account, head), shown, writing, sourcePath, portalPath }), 200);
  return true;
}
