import { timingSafeEqual } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import { pdfOf } from '../../commands/documentPdfs.ts';
import { findPrintable, type Named, type Printable } from '../../commands/printing.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Account } from '../../db/schema/account.ts';
import type { DocumentType } from '../../db/schema/documentPdf.ts';
import { asAccount } from '../../db/tenant.ts';
import type { ApiDeps } from '../deps.ts';
import { NoRoute } from '../errors.ts';
import { sendPdf } from '../pdf.ts';
import type { ApiState } from '../state.ts';

const ADDRESS = /^\/documents\/(\d{1,9})\/(invoice|payment)\/(\d{1,10})\/([0-9a-f]{32})(\/pdf)?$/;

/** A document that a request's address opens. */
interface Opened extends Named {
  printable: Printable;
  em: EntityManager;
  wantsPdf: boolean;
}

/** Documents at their public addresses, for whoever knows one: there is no other key to them. */
export function hostedDocuments(deps: Pick<ApiDeps, 'em' | 'pdf' | 'systemNow'>): Middleware<ApiState> {
  return async (ctx, next) => {
    if (!ctx.path.startsWith('/documents/') || !['GET', 'HEAD'].includes(ctx.method)) return next();
    const address = readAddress(ctx.path);
    ctx.state.page = address?.wantsPdf === false ? `${PAGE}` : `${PAGE}/pdf`;
    if (!address) throw new NoRoute('There is no such document');
    await asAccount(address.accountId, async () => {
      const opened = await open(deps.em.fork(), address);
      if (!opened) throw new NoRoute('There is no such document');
      await sendOpened(ctx, deps, opened);
    });
  };
}

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
  return type === 'invoice' || type === 'payment';
}

async function open(em: EntityManager, { accountId, type, id, token, wantsPdf }: Address): Promise<Opened | null> {
  const account = await em.findOne(Account, { id: accountId });
  const printable = account && (await findPrintable(em, { account, type, id }));
  if (!printable || !timingSafeEqual(Buffer.from(token), Buffer.from(printable.token))) return null;
  return { account, type, id, em, printable, wantsPdf };
}

async function sendOpened(
  ctx: Context,
  { pdf, systemNow }: Pick<ApiDeps, 'pdf' | 'systemNow'>,
  opened: Opened,
): Promise<void> {
  sendPdf(ctx, await pdfOf({ em: opened.em, pdf }, opened, systemNow()));
  ctx.set('Cache-Control', 'private, no-cache');
  ctx.status = 200;
  if (ctx.fresh) ctx.status = 304;
}
