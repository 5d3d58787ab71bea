import { timingSafeEqual } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import { pdfOf } from '../../commands/documentPdfs.ts';
import { findPrintable, type Named, type Printable } from '../../commands/printing.ts';
import { recordView } from '../../commands/views.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Account } from '../../db/schema/account.ts';
import type { DocumentType } from '../../db/schema/documentPdf.ts';
import { asAccount } from '../../db/tenant.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { ApiDeps } from '../deps.ts';
import { sendPdf } from '../pdf.ts';
import type { ApiState } from '../state.ts';
import { documentPage, type HostedPage, missingPage } from './page.ts';
import { isRead } from './reader.ts';

const ADDRESS = /^\/documents\/(\d{1,9})\/(invoice|estimate|payment)\/(\d{1,10})\/([0-9a-f]{32})(\/pdf)?$/;

/** A document that a request's address opens. */
interface Opened extends Named {
  printable: Printable;
  em: EntityManager;
}

/** Documents at their public addresses, for whoever knows one: there is no other key to them. */
export function hostedDocuments(deps: Hosting): Middleware<ApiState> {
  return async (ctx, next) => {
    if (!ctx.path.startsWith('/documents/') || !['GET', 'HEAD'].includes(ctx.method)) return next();
    ctx.set('X-Robots-Tag', 'noindex, nofollow');
    const address = readAddress(ctx.path);
    ctx.state.page = address?.wantsPdf ? `${PAGE}/pdf` : PAGE;
    const sent = address && (await asAccount(address.accountId, () => sendDocument(ctx, deps, address)));
    if (!sent) answer(ctx, missingPage(ctx.acceptsLanguages()), 404);
  };
}

type Hosting = Pick<ApiDeps, 'em' | 'pdf' | 'log' | 'poke' | 'systemNow'>;

const PAGE = '/documents/:account/:type/:id/:token';

interface Address {
  accountId: number;
  type: DocumentType;
  id: number;
  token: string;
  wantsPdf: boolean;
}

function readAddress(path: string): Address | null {
  const [, account = '', type = '', id = '', token = '', pdf] = ADDRESS.exec(path) ?? [];
  if (!isType(type) || Number(id) > 2_147_483_647) return null;
  return { accountId: Number(account), type, id: Number(id), token, wantsPdf: pdf !== undefined };
}

function isType(type: string): type is DocumentType {
  return type === 'invoice' || type === 'estimate' || type === 'payment';
}

async function open(em: EntityManager, { accountId, type, id, token }: Address): Promise<Opened | null> {
  const account = await em.findOne(Account, { id: accountId });
  const printable = account && (await findPrintable(em, { account, type, id }));
  if (!printable || !timingSafeEqual(Buffer.from(token), Buffer.from(printable.token))) return null;
  return { account, type, id, em, printable };
}

/** Whether there is such a document to answer with. */
async function sendDocument(ctx: Context, deps: Hosting, address: Address): Promise<boolean> {
  const opened = await open(deps.em.fork(), address);
  if (!opened) return false;
  const { printable, account } = opened;
  if (address.wantsPdf) {
    await sendKept(ctx, deps, opened);
    return true;
  }
  // A draft is for the seller's eyes.
  if (!printable.isDocument) return false;
  if (!printable.isViewed && isRead(ctx.method, ctx.headers)) await noteView(deps, opened);
  const document = printable.print();
  const isTest = account.environment === 'sandbox';
  answer(ctx, documentPage({ document, pdfPath: `${ctx.path}/pdf`, isTest }), 200);
  return true;
}

/** Whoever looks at the page sees it, whether or not that can be noted. */
async function noteView({ em, log, poke, systemNow }: Hosting, { account, type, id }: Opened): Promise<void> {
  try {
    await inTransaction(em, (inner) => recordView(inner, { account, type, id }, systemNow()));
    poke();
  } catch (error) {
    log.error({ err: error, account: account.id, document: `${type}/${id}` }, 'a view could not be noted');
  }
}

function answer(ctx: Context, page: HostedPage, status: number): void {
  ctx.status = status;
  ctx.set('Content-Security-Policy', page.policy);
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = page.html;
}

async function sendKept(ctx: Context, { pdf, systemNow }: Hosting, opened: Opened): Promise<void> {
  sendPdf(ctx, await pdfOf({ em: opened.em, pdf }, opened, systemNow()));
  ctx.set('Cache-Control', 'private, no-cache');
  ctx.status = 200;
  if (ctx.fresh) ctx.status = 304;
}
