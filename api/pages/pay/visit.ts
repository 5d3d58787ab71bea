import type { BlockList } from 'node:net';
import type { Context } from 'koa';
import type { Paying } from '../../../commands/documents/paying.ts';
import { contentHash } from '../../../commands/documents/pdfs.ts';
import type { PaidDocument } from '../../../db/queries/charges/pageAttempts.ts';
import type { ApiDeps } from '../../framework/deps.ts';
import { clientAddress } from '../../limits/clientAddress.ts';
import type { VisitorLimit } from '../../limits/visitorLimit.ts';
import { type Opened, openDocument } from '../hosted/address.ts';
import { type EarlyOffer, earlyOffer } from '../hosted/earlyDiscount.ts';
import { type PayAddress, payPaths } from './address.ts';
import { type Payee, payeeOf } from './frame.ts';

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
  /** IP address of the visitor, and the name of its browser. */
  ip: string;
  userAgent: string | null;
  /** Reads the document again. Null: it is no longer there. */
  again(): Promise<Visit | null>;
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
    ip: clientAddress(ctx.req.socket.remoteAddress ?? '', ctx.get('X-Forwarded-For'), deps.proxies),
    userAgent: ctx.get('User-Agent') || null,
    again: () => openVisit(ctx, deps, address),
  };
}
