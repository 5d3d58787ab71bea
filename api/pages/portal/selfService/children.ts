import { setting } from '../../../../billing/settings.ts';
import { openBalances, openInvoices } from '../../../../db/queries/portal/owed.ts';
import { Customer } from '../../../../db/schema/customer.ts';
import { documentUrl } from '../../../../present/kernel/links.ts';
import { selfServiceWordsOf } from '../../../../words/selfService/words.ts';
import { fill } from '../../../../words/text.ts';
import { type Html, html, printed } from '../../kit/html.ts';
import { formatsIn } from '../formats.ts';
import { answerVisit } from '../frame.ts';
import type { Place, PortalVisit } from '../place.ts';
import { NothingThere } from '../site.ts';
import { idIn } from './acting.ts';

const PATH = 'companies';
/** Children, and open invoices of one of them, that are shown. */
const MOST_SHOWN = 100;

/** The children of a customer, which it sees and does not change. */
export const childrenPlace: Place = {
  path: PATH,
  name: (language) => selfServiceWordsOf(language).children,
  isOpen: ({ account }) => setting(account, 'portal_children'),
  show: (visit, [id, ...more]) => {
    if (more.length > 0) throw new NothingThere();
    return id === undefined ? showChildren(visit) : showChild(visit, idIn(id));
  },
};

const childrenOf = ({ account, customer }: PortalVisit) => ({
  accountId: account.id,
  parent: customer,
  anonymizedAt: null,
});

async function showChildren(visit: PortalVisit): Promise<void> {
  const { em, head } = visit;
  const texts = selfServiceWordsOf(head.language);
  const children = await em.find(Customer, childrenOf(visit), {
    orderBy: { name: 'asc', id: 'asc' },
    limit: MOST_SHOWN,
  });
  const items: Html[] = [];
  for (const child of children) if (!child.mergedInto) items.push(await row(visit, child));
  const list =
    items.length === 0
      ? html`<p class="lead">${texts.noChildren}</p>`
      : html`<p class="lead">${texts.childrenWhy}</p><ul class="listed">${items}</ul>`;
  answerVisit(visit, { path: PATH, title: texts.children, main: html`<h1>${texts.children}</h1>${list}` });
}

async function row(visit: PortalVisit, { id, name }: Customer): Promise<Html> {
  const { em, account, root, head } = visit;
  const texts = selfServiceWordsOf(head.language);
  const balances = await openBalances(em, { accountId: account.id, customerId: id });
  const open = balances.map(({ currency, outstanding }) => formatsIn(visit, currency).money(outstanding)).join(' · ');
  const state = open === '' ? texts.nothingOpen : fill(texts.openOf, { amount: open });
  return html`<li><a href="${root}/${PATH}/${id}">${name}</a><span class="end">${printed(state)}</span></li>`;
}

async function showChild(visit: PortalVisit, id: number): Promise<void> {
  const { em, account, head } = visit;
  const texts = selfServiceWordsOf(head.language);
  const child = await em.findOne(Customer, { ...childrenOf(visit), id });
  if (!child || child.mergedInto) throw new NothingThere();
  const open = await openInvoices(em, { accountId: account.id, customerId: id }, { currency: null, most: MOST_SHOWN });
  const { labels } = head.pen;
  const items = open.map((invoice) => {
    const { money, shortDay } = formatsIn(visit, invoice.currency);
    const path = new URL(documentUrl('invoice', { ...invoice, accountId: account.id })).pathname;
    const due = fill(labels.dueOn, { day: shortDay(invoice.dueAt ?? invoice.date) });
    return html`<li><a href="${path}">${labels.invoice} <bdi>${invoice.number}</bdi></a><strong class="money end">${printed(money(invoice.balance))}</strong>
<span class="second${invoice.pastDue ? ' bad' : ''}">${printed(due)}</span></li>`;
  });
  const list =
    items.length === 0 ? html`<p class="lead">${texts.nothingOpen}</p>` : html`<ul class="listed">${items}</ul>`;
  answerVisit(visit, { path: PATH, title: head.pen.own(child.name), main: html`<h1>${child.name}</h1>${list}` });
}
