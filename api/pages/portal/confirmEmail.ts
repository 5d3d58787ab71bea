import { confirmEmailChange } from '../../../commands/portal/details.ts';
import { findPortalLink } from '../../../commands/portal/links.ts';
import { Customer } from '../../../db/schema/customer.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { outcome } from '../kit/customerPage.ts';
import { button, form, linkButton } from '../kit/forms.ts';
import { html, printed } from '../kit/html.ts';
import { readForm } from '../people/site.ts';
import { answerGuest, tellGuest } from './frame.ts';
import { countPortalTry, formFields, NothingThere, type PortalGuest, said } from './site.ts';

/** The page behind the link that was mailed to a new address. Opening it changes nothing. */
export async function openEmailLink(guest: PortalGuest, [secret, ...more]: readonly string[]): Promise<void> {
  if (secret === undefined || more.length > 0) throw new NothingThere();
  await countPortalTry(guest, 'link_address');
  return guest.ctx.method === 'POST' ? take(guest, secret) : show(guest, secret);
}

async function show(guest: PortalGuest, secret: string): Promise<void> {
  const { site, em, account, words, root } = guest;
  const sought = { accountId: account.id, purpose: 'email', secret } as const;
  const link = await findPortalLink(em, sought, site.deps.systemNow());
  const customer = link && (await em.findOne(Customer, { accountId: account.id, id: link.customer.id }));
  if (!link?.email || !customer) return gone(guest);
  const why = said(guest, words.confirmEmailWhy, { name: customer.name, address: link.email });
  const main = html`<h1>${words.confirmEmail}</h1>
<p class="lead">${printed(why)}</p>
${form(`${root}/emails/${secret}`, html`${formFields(guest)}${button(words.confirmEmail, 'primary')}`)}`;
  answerGuest(guest, { title: words.confirmEmail, main });
}

async function take(guest: PortalGuest, secret: string): Promise<void> {
  const { site, ctx, account, words, root } = guest;
  await readForm(site, ctx);
  const now = site.deps.systemNow();
  const isDone = await inTransaction(site.deps.em, (em) => confirmEmailChange(em, { account, secret }, now));
  if (!isDone) return gone(guest);
  site.deps.poke();
  const main = html`${outcome('good', words.emailChanged, [])}<p class="actions">${linkButton(words.signIn, `${root}/sign_in`)}</p>`;
  answerGuest(guest, { title: words.emailChanged, main });
}

function gone(guest: PortalGuest): void {
  const { endedTitle, endedWhy } = guest.words;
  tellGuest(guest, { title: endedTitle, why: endedWhy, status: 404 });
}
