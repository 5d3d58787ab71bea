import type { BlockList } from 'node:net';
import type { Context } from 'koa';
import type { PlanAsk } from '../../../billing/planProgress.ts';
import { contentHash } from '../../../commands/documents/pdfs.ts';
import type { Plain } from '../../../db/queries/kernel/plain.ts';
import type { Invoice } from '../../../db/schema/invoice.ts';
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

/** A visit to a page about paying an invoice. */
export interface Visit {
  ctx: Context;
  deps: PayDeps;
  opened: Opened;
  invoice: Plain<Invoice>;
  payee: Payee;
  paths: ReturnType<typeof payPaths>;
  /** The payment plan that collects the invoice; null: there is none. */
  plan: PlanAsk | null;
  /** The early-payment discount that lasts; null: there is none. */
  early: EarlyOffer | null;
  /** Hash of the invoice as it is now. */
  seen: string;
  /** IP address of the visitor, and the name of its browser. */
  ip: string;
  userAgent: string | null;
  /** Reads the invoice again. Null: it is no longer there. */
  again(): Promise<Visit | null>;
}

/** Finds the invoice of an address. Null: there is none, or it is a draft. */
export async function openVisit(ctx: Context, deps: PayDeps, address: PayAddress): Promise<Visit | null> {
  const opened = await openDocument(deps.em.fork(), address.invoice, deps.systemNow());
  const { printable } = opened ?? {};
  if (!opened || !printable?.paying || !printable.isDocument) return null;
  const { invoice, pen } = printable.paying;
  const payee = payeeOf(opened, await printable.print(), pen);
  return {
    ctx,
    deps,
    opened,
    invoice,
    payee,
    paths: payPaths(address.invoice),
    plan: printable.paying.ask,
    early: await earlyOffer(opened, deps.systemNow()),
    seen: contentHash(printable.facts),
    ip: clientAddress(ctx.req.socket.remoteAddress ?? '', ctx.get('X-Forwarded-For'), deps.proxies),
    userAgent: ctx.get('User-Agent') || null,
    again: () => openVisit(ctx, deps, address),
  };
}
