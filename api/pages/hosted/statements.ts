import type { Context, Middleware } from 'koa';
import { Unprintable } from '../../../billing/failures.ts';
import { statementPdf } from '../../../commands/statements/printing.ts';
import { LATEST_STATEMENT, readStatement } from '../../../commands/statements/reading.ts';
import { Account } from '../../../db/schema/account.ts';
import { Customer } from '../../../db/schema/customer.ts';
import { withAccount } from '../../../db/tenant.ts';
import { LARGEST_ID } from '../../body/readers.ts';
import type { ApiDeps } from '../../framework/deps.ts';
import type { ApiState } from '../../framework/state.ts';
import { createVisitorLimit, type VisitorLimit } from '../../limits/visitorLimit.ts';
import { sendPdf } from '../../reading/papers.ts';
import { answerPage } from '../kit/page.ts';
import { hasToken } from '../managing/address.ts';
import { askLater } from './documents.ts';
import { answerMissing, busyPage } from './page.ts';

type Serving = Pick<ApiDeps, 'em' | 'pdf' | 'systemNow'> & { limit: VisitorLimit };

const ADDRESS = /^\/statements\/(\d{1,9})\/(\d{1,10})\/([0-9a-f]{32})\/pdf$/;
/** The account under which a request runs whose path is not that of a statement. */
const NOBODY = 0;

interface Address {
  accountId: number;
  id: number;
  token: string;
}

/** Serves the PDF of the latest statement of a customer at its public URL. Knowing the URL is the only credential. */
export function hostedStatements(
  deps: Pick<ApiDeps, 'em' | 'pdf' | 'systemNow' | 'trustedProxies'>,
): Middleware<ApiState> {
  const serving = { ...deps, limit: createVisitorLimit(deps) };
  return async (ctx, next) => {
    if (!ctx.path.startsWith('/statements/')) return next();
    ctx.state.page = '/statements/:account/:id/:token/pdf';
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    ctx.set('X-Robots-Tag', 'noindex, nofollow');
    const address = readAddress(ctx.path);
    await withAccount(address?.accountId ?? NOBODY, () => visit(ctx, serving, address)).catch(askLater(ctx));
  };
}

function readAddress(path: string): Address | null {
  const [, accountId, id, token] = ADDRESS.exec(path) ?? [];
  if (!token || Number(id) > LARGEST_ID) return null;
  return { accountId: Number(accountId), id: Number(id), token };
}

async function visit(ctx: Context, deps: Serving, address: Address | null): Promise<void> {
  await deps.limit(ctx, 'statement');
  const isDone = address && (await serve(ctx, deps, address));
  if (!isDone) await answerMissing(ctx, deps.em.fork(), address?.accountId ?? NOBODY);
}

/** False: there is no such customer, it was merged or anonymized, or its link was revoked. */
async function serve(ctx: Context, { em: shared, pdf, systemNow }: Serving, address: Address): Promise<boolean> {
  const em = shared.fork();
  const { accountId, id } = address;
  const account = await em.findOne(Account, { id: accountId });
  const customer = await em.findOne(Customer, { accountId, id }, { populate: ['testClock'] });
  if (!account || !customer || !hasToken(address, customer)) return false;
  if (customer.anonymizedAt || customer.mergedInto) return false;
  const now = customer.testClock?.frozenAt ?? systemNow();
  const statement = await readStatement(em, { account, customer, now }, LATEST_STATEMENT);
  try {
    sendPdf(ctx, await statementPdf({ em, pdf }, { account, customer, statement }));
    ctx.set('Cache-Control', 'private, no-store');
  } catch (error) {
    if (!(error instanceof Unprintable)) throw error;
    answerPage(ctx, busyPage(ctx.acceptsLanguages()), 503);
  }
  return true;
}
