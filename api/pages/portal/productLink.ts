import { PORTAL_SESSION_LIFETIMES } from '../../../billing/people/portal.ts';
import { findPortalLink } from '../../../commands/portal/links.ts';
import { openByLink } from '../../../commands/portal/sessions.ts';
import { Customer } from '../../../db/schema/customer.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { button, form } from '../kit/forms.ts';
import { html, printed } from '../kit/html.ts';
import { notice } from '../kit/parts.ts';
import { seeOther } from '../kit/posted.ts';
import { readForm } from '../people/site.ts';
import { answerGuest, tellGuest } from './frame.ts';
import { browserOf, countPortalTry, formFields, keepSession, NothingThere, type PortalGuest, said } from './site.ts';

/** The page behind a link of the account's product: it names the customer, and a form continues. Opening it uses nothing up. */
export async function openProductLink(guest: PortalGuest, [secret, ...more]: readonly string[]): Promise<void> {
  if (secret === undefined || more.length > 0) throw new NothingThere();
  await countPortalTry(guest, 'link_address');
  return guest.ctx.method === 'POST' ? take(guest, secret) : show(guest, secret);
}

async function show(guest: PortalGuest, secret: string): Promise<void> {
  const { site, em, account, words, root } = guest;
  const sought = { accountId: account.id, purpose: 'session', secret } as const;
  const link = await findPortalLink(em, sought, site.deps.systemNow());
  const named = link && (await em.findOne(Customer, { accountId: account.id, id: link.customer.id }));
  if (!link || !named) return gone(guest);
  const title = said(guest, words.productTitle, { name: named.name });
  const reading = link.maker?.isReadOnly ? notice(words.productReading) : null;
  const main = html`<h1>${printed(title)}</h1>
<p class="lead">${printed(said(guest, words.productWhy, { name: named.name }))}</p>
${reading}
${form(`${root}/sessions/${secret}`, html`${formFields(guest)}${button(words.proceed, 'primary')}`)}`;
  answerGuest(guest, { title, main });
}

async function take(guest: PortalGuest, secret: string): Promise<void> {
  const { site, ctx, account, root } = guest;
  await readForm(site, ctx);
  const of = { accountId: account.id, secret, browser: browserOf(guest) };
  const cookie = await inTransaction(site.deps.em, (em) => openByLink(em, of, site.deps.systemNow()));
  if (cookie === null) return gone(guest);
  keepSession(guest, cookie, PORTAL_SESSION_LIFETIMES.product);
  seeOther(ctx, root);
}

function gone(guest: PortalGuest): void {
  const { endedTitle, endedWhy } = guest.words;
  tellGuest(guest, { title: endedTitle, why: endedWhy, status: 404 });
}
