import type { IncomingHttpHeaders } from 'node:http';
import type { Context, Middleware } from 'koa';
import { Overload, Unprintable } from '../../../billing/failures.ts';
import { pdfOf } from '../../../commands/documents/pdfs.ts';
import { recordView } from '../../../commands/documents/views.ts';
import { isUnavailable } from '../../../db/failure.ts';
import { withAccount } from '../../../db/tenant.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { ApiDeps } from '../../framework/deps.ts';
import { TooManyVisits } from '../../framework/errors.ts';
import type { ApiState } from '../../framework/state.ts';
import { proxiesOf } from '../../limits/clientAddress.ts';
import { createVisitorLimit, type VisitorLimit } from '../../limits/visitorLimit.ts';
import { sendPdf } from '../../reading/papers.ts';
import { answerPage } from '../kit/page.ts';
import { seeOther } from '../kit/posted.ts';
import { isOnlyLooking } from '../portal/signedInPayer.ts';
import { type Address, type Opened, openDocument, readAddress } from './address.ts';
import type { AnswerForm } from './answerForm.ts';
import { type EstimateAnswerDeps, takeAnswer } from './answers.ts';
import { answerMissing, busyPage, noPdfPage } from './page.ts';
import { shownPage } from './shownPage.ts';

interface Hosting extends EstimateAnswerDeps, Pick<ApiDeps, 'pdf' | 'log'> {
  limit: VisitorLimit;
}

const PAGE = '/documents/:account/:type/:id/:token';
/** The account under which a request runs whose path is not that of a document. */
const NOBODY = 0;
/** Retry-After in seconds for a PDF that could not be rendered now. */
const BUSY_SECONDS = 5;

/** Serves documents at their public URLs. Knowing the URL is the only credential. */
export function hostedDocuments(
  deps: Omit<Hosting, 'proxies' | 'limit'> & Pick<ApiDeps, 'trustedProxies'>,
): Middleware<ApiState> {
  const hosting = { ...deps, proxies: proxiesOf(deps.trustedProxies), limit: createVisitorLimit(deps) };
  return async (ctx, next) => {
    if (!ctx.path.startsWith('/documents/')) return next();
    const address = readAddress(ctx.path);
    ctx.state.page = address && address.part !== 'page' ? `${PAGE}/${address.part}` : PAGE;
    if (!['GET', 'HEAD', 'POST'].includes(ctx.method)) return next();
    ctx.set('X-Robots-Tag', 'noindex, nofollow');
    await withAccount(address?.accountId ?? NOBODY, () => visit(ctx, hosting, address)).catch(askLater(ctx));
  };
}

async function visit(ctx: Context, deps: Hosting, address: Address | null): Promise<void> {
  await deps.limit(ctx, ctx.method === 'POST' ? 'answer' : 'document');
  const isDone = address && (await serve(ctx, deps, address));
  if (!isDone) await answerMissing(ctx, deps.em.fork(), address?.accountId ?? NOBODY);
}

/**
 * Returns an error handler that answers 429 for too many requests from one address, and 503 for an Overload and while the database is away.
 * Forms of pages may be sent again: they carry a key, or name a state.
 */
export function askLater(ctx: Context): (error: unknown) => void {
  return (error) => {
    const isTooMany = error instanceof TooManyVisits;
    if (!isTooMany && !(error instanceof Overload) && !isUnavailable(error)) throw error;
    ctx.set('Retry-After', String(isTooMany ? error.seconds : BUSY_SECONDS));
    answerPage(ctx, busyPage(ctx.acceptsLanguages()), isTooMany ? 429 : 503);
  };
}

/** Serves the requested part of a document. False when there is nothing to serve. */
async function serve(ctx: Context, deps: Hosting, address: Address): Promise<boolean> {
  const opened = await openDocument(deps.em.fork(), address, deps.systemNow());
  if (!opened || (ctx.method === 'POST') !== (address.part === 'answer')) return false;
  const { printable } = opened;
  // Only the seller may see a draft.
  if (!printable.isDocument) return false;
  if (address.part === 'pdf') {
    await sendKept(ctx, deps, opened).catch((error: unknown) => {
      if (!(error instanceof Unprintable)) throw error;
      answerPage(ctx, noPdfPage(ctx.acceptsLanguages(), address.path), 503);
    });
    return true;
  }
  if (address.part === 'answer') return printable.answer !== null && receive(ctx, deps, { address, opened });
  if (!printable.isViewed && isProbablyPerson(ctx.method, ctx.headers) && !(await isLooking(ctx, deps, opened)))
    await noteView(deps, opened);
  await showPage(ctx, { address, opened }, null);
  return true;
}

interface Visit {
  address: Address;
  opened: Opened;
}

async function receive(ctx: Context, deps: Hosting, visit: Visit): Promise<boolean> {
  const refused = await takeAnswer(ctx, deps, visit.opened);
  if (refused) {
    await showPage(ctx, visit, refused);
    return true;
  }
  seeOther(ctx, visit.address.path);
  return true;
}

async function showPage(ctx: Context, { address, opened }: Visit, refused: AnswerForm['refused']): Promise<void> {
  const page = await shownPage({ opened, path: address.path, refused });
  answerPage(ctx, page, refused ? 400 : 200);
}

const isLooking = (ctx: Context, { systemNow }: Hosting, { em, account }: Opened): Promise<boolean> =>
  isOnlyLooking({ ctx, em, account }, systemNow());

/** Records the view. A failure is logged, and the page is shown anyway. */
async function noteView({ em, log, poke, systemNow }: Hosting, { account, type, id }: Opened): Promise<void> {
  try {
    await inTransaction(em, (inner) => recordView(inner, { account, type, id }, systemNow()));
    poke();
  } catch (error) {
    log.error(
      { err: error, account: account.id, document: `${type}/${id}` },
      'the view of a document could not be recorded',
    );
  }
}

async function sendKept(ctx: Context, { pdf, systemNow }: Hosting, opened: Opened): Promise<void> {
  sendPdf(ctx, await pdfOf({ em: opened.em, pdf }, opened, systemNow()));
  ctx.set('Cache-Control', 'private, no-cache');
  ctx.status = 200;
  if (ctx.fresh) ctx.status = 304;
}

/** User agents of programs that fetch links although nobody reads the page: previews, search, mail scanners, monitoring, libraries. */
const PROGRAMS =
  /bot|crawl|spider|slurp|preview|scan|monitor|fetch|headless|lighthouse|facebookexternalhit|whatsapp|skypeuripreview|embedly|curl|wget|python|java\/|okhttp|axios|go-http|ruby|perl|libwww|node|undici/i;

/** Whether a person probably reads the page: a browser shows it and does not just prefetch it. */
function isProbablyPerson(method: string, headers: IncomingHttpHeaders): boolean {
  if (method !== 'GET') return false;
  const agent = headers['user-agent'] ?? '';
  if (!agent.startsWith('Mozilla/') || PROGRAMS.test(agent)) return false;
  const purpose = `${headers.purpose ?? ''} ${headers['sec-purpose'] ?? ''} ${headers['x-moz'] ?? ''}`;
  if (/prefetch|prerender|preview/i.test(purpose)) return false;
  const target = headers['sec-fetch-dest'];
  return target === undefined || target === 'document';
}
