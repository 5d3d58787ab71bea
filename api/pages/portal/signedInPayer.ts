import type { Context } from 'koa';
import { setting } from '../../../billing/settings.ts';
import { canWrite, portalVisitor } from '../../../commands/portal/sessions.ts';
import { ownSources } from '../../../commands/portal/sources.ts';
import type { EntityManager } from '../../../db/orm.ts';
import type { Account } from '../../../db/schema/account.ts';
import { sourceInWords } from '../../../present/emails/paymentSource.ts';
import { writingFor } from '../../../present/emails/writing.ts';
import { absolute } from '../../../present/kernel/links.ts';
import { portalWordsOf } from '../../../present/printed/portal/words.ts';
import { cookieName } from '../kit/cookies.ts';
import { linkButton } from '../kit/forms.ts';
import { type Html, html, printed } from '../kit/html.ts';

interface Paid {
  ctx: Pick<Context, 'cookies'>;
  em: EntityManager;
  account: Account;
  invoice: { id: number; currency: string; customer: { id: number } };
  language: string;
}

/**
 * The stored sources with which a payer who is signed in to the portal can pay an invoice, first on its page. Each leads to the page of the portal
 * that pays it. Null: nobody is signed in for its customer, or nothing is stored.
 */
export async function storedWays({ ctx, em, account, invoice, language }: Paid, systemNow: Date): Promise<Html | null> {
  if (!setting(account, 'portal_enabled') || !setting(account, 'portal_pay')) return null;
  const cookie = ctx.cookies.get(cookieName({ publicUrl: absolute('') }, `portal_${account.id}`));
  const visitor = cookie ? await portalVisitor(em, { accountId: account.id, cookie }, systemNow) : null;
  if (visitor?.session.customerId !== invoice.customer.id || !canWrite(visitor, 'pay')) return null;
  const sources = (await ownSources(em, visitor)).filter(({ chargeable }) => chargeable);
  if (sources.length === 0) return null;
  const { currency, id } = invoice;
  const writing = writingFor({ ...account, language }, null, { currency, timeZone: account.timeZone });
  const links = sources.map(({ id: sourceId, type, brand = null, bankName = null, last4 }) => {
    const name = sourceInWords({ type, brand, bankName, last4 }, writing);
    const query = new URLSearchParams({ currency, of: String(id), source: String(sourceId) });
    return linkButton(printed(name), `/portal/${account.id}/pay/review?${query.toString()}`, 'plain');
  });
  return html`<section><h2>${portalWordsOf(language).payWith}</h2><p class="actions">${links}</p></section>`;
}
