import type { Context } from 'koa';
import { setting } from '../../../billing/settings.ts';
import { canWrite, portalVisitor } from '../../../commands/portal/sessions.ts';
import { chargeableSources } from '../../../commands/portal/sources.ts';
import type { EntityManager } from '../../../db/orm.ts';
import type { Account } from '../../../db/schema/account.ts';
import type { PaymentSource } from '../../../db/schema/customer.ts';
import { absolute } from '../../../present/kernel/links.ts';
import { cookieName } from '../kit/cookies.ts';

/** Who may have signed in, and the customer whose document it wants to pay. */
interface Payer {
  ctx: Pick<Context, 'cookies'>;
  em: EntityManager;
  account: Account;
  customerId: number;
}

/** The stored sources with which a visitor can pay outside of the portal: those it has in the portal, if it is signed in for this customer and may pay. */
export async function sourcesOfPayer(
  { ctx, em, account, customerId }: Payer,
  systemNow: Date,
): Promise<PaymentSource[]> {
  if (!setting(account, 'portal_enabled') || !setting(account, 'portal_pay')) return [];
  const cookie = ctx.cookies.get(cookieName({ publicUrl: absolute('') }, `portal_${account.id}`));
  const visitor = cookie ? await portalVisitor(em, { accountId: account.id, cookie }, systemNow) : null;
  if (visitor?.session.customerId !== customerId || !canWrite(visitor, 'pay')) return [];
  return chargeableSources(em, visitor);
}
