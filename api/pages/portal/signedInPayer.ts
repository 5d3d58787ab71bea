import type { Context } from 'koa';
import { setting } from '../../../billing/settings.ts';
import { canWrite, type PortalVisitor, portalVisitor } from '../../../commands/portal/sessions.ts';
import { chargeableSources } from '../../../commands/portal/sources.ts';
import type { EntityManager } from '../../../db/orm.ts';
import type { Account } from '../../../db/schema/account.ts';
import type { PaymentSource } from '../../../db/schema/customer.ts';
import { absolute } from '../../../present/kernel/links.ts';
import { cookieName } from '../kit/cookies.ts';

/** A browser that may be signed in to the portal of an account. */
interface Browser {
  ctx: Pick<Context, 'cookies'>;
  em: EntityManager;
  account: Account;
}

/** Who is signed in to the portal in a browser that is at another page; null: nobody, or there is no portal. */
async function signedIn({ ctx, em, account }: Browser, systemNow: Date): Promise<PortalVisitor | null> {
  if (!setting(account, 'portal_enabled')) return null;
  const cookie = ctx.cookies.get(cookieName({ publicUrl: absolute('') }, `portal_${account.id}`));
  return cookie ? portalVisitor(em, { accountId: account.id, cookie }, systemNow) : null;
}

/** Whether a browser looks at the portal for the account's product, in a session that only reads: it is not the customer. */
export async function isOnlyLooking(browser: Browser, systemNow: Date): Promise<boolean> {
  return (await signedIn(browser, systemNow))?.session.maker?.isReadOnly === true;
}

/** The stored sources with which a visitor can pay outside of the portal: those it has in the portal, if it is signed in for this customer and may pay. */
export async function sourcesOfPayer(
  { customerId, ...browser }: Browser & { customerId: number },
  systemNow: Date,
): Promise<PaymentSource[]> {
  if (!setting(browser.account, 'portal_pay')) return [];
  const visitor = await signedIn(browser, systemNow);
  if (visitor?.session.customerId !== customerId || !canWrite(visitor, 'pay')) return [];
  return chargeableSources(browser.em, visitor);
}
