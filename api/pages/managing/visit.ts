import type { BlockList } from 'node:net';
import type { Context } from 'koa';
import { sellerHead } from '../../../commands/documents/sellerHead.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { Account } from '../../../db/schema/account.ts';
import { Customer } from '../../../db/schema/customer.ts';
import type { ConsentPage } from '../../../db/schema/paymentConsent.ts';
import type { ApiDeps } from '../../framework/deps.ts';
import { clientAddress } from '../../limits/clientAddress.ts';
import type { VisitorLimit } from '../../limits/visitorLimit.ts';
import { hasToken, type ManagingAddress } from './address.ts';
import { type Host, hostOf } from './frame.ts';

export interface SourceDeps
  extends Pick<
    ApiDeps,
    'em' | 'poke' | 'systemNow' | 'log' | 'cipher' | 'gateways' | 'gatewayDeadline' | 'lookUpDelay' | 'publicUrl'
  > {
  proxies: BlockList;
  limit: VisitorLimit;
}

/** A visit to the page that adds a payment source. */
export interface SourceVisit {
  ctx: Context;
  deps: SourceDeps;
  em: EntityManager;
  address: ManagingAddress;
  account: Account;
  customer: Customer;
  host: Host;
  /** Currency of the customer. */
  currency: string;
  /** Who adds the source, if somebody is signed in. Absent: a visitor of the page that its link opens. */
  by?: {
    page: ConsentPage;
    email: string | null;
    makeDefault: boolean;
  };
}

/** Maximum number of merges that a link follows. */
const MOST_MERGES = 5;

/** Finds the customer of an address, or the one that it was merged into. Null: there is none, or its link was revoked. */
export async function openSourceVisit(
  ctx: Context,
  deps: SourceDeps,
  address: ManagingAddress,
): Promise<SourceVisit | null> {
  const em = deps.em.fork();
  const { accountId, id } = address;
  const account = await em.findOne(Account, { id: accountId });
  const linked = await em.findOne(Customer, { accountId, id });
  if (!account || !linked || !hasToken(address, linked)) return null;
  let customer = linked;
  for (let merges = 0; customer.mergedInto && merges < MOST_MERGES; merges++)
    customer = await em.findOneOrFail(Customer, { accountId, id: customer.mergedInto.id });
  if (customer.anonymizedAt || customer.mergedInto) return null;
  const currency = customer.currency ?? account.currency;
  const head = await sellerHead(em, { account, customer }, { currency, timeZone: account.timeZone });
  return { ctx, deps, em, address, account, customer, currency, host: hostOf(account, head) };
}

/** The visitor's address and browser. */
export function visitorOf({ ctx, deps }: SourceVisit): { ip: string; userAgent: string } {
  const ip = clientAddress(ctx.req.socket.remoteAddress ?? '', ctx.get('X-Forwarded-For'), deps.proxies);
  return { ip, userAgent: ctx.get('User-Agent') };
}
