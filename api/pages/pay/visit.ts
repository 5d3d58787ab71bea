import type { BlockList } from 'node:net';
import type { Context } from 'koa';
import type { Paying } from '../../../commands/documents/paying.ts';
import { contentHash } from '../../../commands/documents/pdfs.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { type PaidDocument, type PostedDocument, postedDocument } from '../../../db/queries/charges/pageAttempts.ts';
import type { ApiDeps } from '../../framework/deps.ts';
import { clientAddress } from '../../limits/clientAddress.ts';
import type { VisitorLimit } from '../../limits/visitorLimit.ts';
import { type Address, isToken, type Opened, openDocument, readAddress } from '../hosted/address.ts';
import { type Payee, payeeOf } from './frame.ts';
import { type EarlyOffer, earlyOffer } from './offers.ts';

const ADDRESS =
  /^(\/documents\/\d{1,9}\/(?:invoice|estimate)\/\d{1,10}\/[0-9a-f]{32})\/(pay|pay\/tokens|payments\/([0-9a-f-]{36}))$/;

/** The address of the page that pays an invoice or a deposit, or of the page that shows one of its payments. */
export interface PayAddress {
  /** The page of the invoice or estimate itself. */
  document: Address;
  /** Key of the shown payment; null: the page that pays, or its tokens. */
  key: string | null;
  isTokens: boolean;
}

/** Parses the path of a page about paying. Null when it is none. */
export function readPayAddress(path: string): PayAddress | null {
  const [, page = '', part, key = null] = ADDRESS.exec(path) ?? [];
  const document = readAddress(page);
  return document && { document, key, isTokens: part === 'pay/tokens' };
}

/** The paths of the pages about paying a document. */
function payPaths({ path }: Address) {
  return { document: path, pay: `${path}/pay`, payment: (key: string) => `${path}/payments/${key}` };
}

export interface PayDeps
  extends Pick<
    ApiDeps,
    'em' | 'poke' | 'systemNow' | 'log' | 'cipher' | 'gateways' | 'gatewayDeadline' | 'lookUpDelay'
  > {
  proxies: BlockList;
  limit: VisitorLimit;
}

/** A visit to a page about paying an invoice or a deposit. */
export interface Visit {
  ctx: Context;
  deps: PayDeps;
  opened: Opened;
  paying: Paying;
  /** The document that is paid, as attempts name it. */
  named: PaidDocument;
  payee: Payee;
  paths: ReturnType<typeof payPaths>;
  /** The early-payment discount that lasts; null: there is none. */
  early: EarlyOffer | null;
  /** Hash of the document as it is now. */
  seen: string;
  /** The visit with the document as it is after it was changed. Null: it is no longer there. */
  reopen(): Promise<Visit | null>;
}

/** A form that a visitor sent. The document is read as far as a payment needs it, and is not printed. */
export interface Posted extends Pick<Visit, 'ctx' | 'deps' | 'named' | 'paths'> {
  em: EntityManager;
  document: PostedDocument;
  /** IP address of the visitor, and the name of its browser. */
  ip: string;
  userAgent: string | null;
  /** Opens the page of the document as it is now. Null: it is no longer there. */
  open(): Promise<Visit | null>;
}

/** Finds the document of an address. Null: there is none, or it is a draft. */
export async function openVisit(ctx: Context, deps: PayDeps, address: PayAddress): Promise<Visit | null> {
  const opened = await openDocument(deps.em.fork(), address.document, deps.systemNow());
  const { printable } = opened ?? {};
  if (!opened || !printable?.paying || !printable.isDocument) return null;
  const { paying } = printable;
  const { type, document } = paying;
  const payee = payeeOf(opened, await printable.print(), paying);
  return {
    ctx,
    deps,
    opened,
    paying,
    named: { accountId: document.accountId, type, id: document.id },
    payee,
    paths: payPaths(address.document),
    early: await earlyOffer(opened, deps.systemNow()),
    seen: contentHash(paying.shown),
    reopen: () => openVisit(ctx, deps, address),
  };
}

/** Finds the document of a form. Null: there is none, or it is a draft. */
export async function openPosted(ctx: Context, deps: PayDeps, address: PayAddress): Promise<Posted | null> {
  const { accountId, type, id, token } = address.document;
  if (type !== 'invoice' && type !== 'estimate') return null;
  const named = { accountId, type, id };
  const em = deps.em.fork();
  const document = await postedDocument(em, named);
  if (!document || !isToken(token, document)) return null;
  return {
    ctx,
    deps,
    em,
    named,
    document,
    paths: payPaths(address.document),
    ip: clientAddress(ctx.req.socket.remoteAddress ?? '', ctx.get('X-Forwarded-For'), deps.proxies),
    userAgent: ctx.get('User-Agent') || null,
    open: () => openVisit(ctx, deps, address),
  };
}
