import { EMAIL } from '../../../../billing/mail/mailSender.ts';
import { type PortalRole, portalRoles } from '../../../../billing/people/portal.ts';
import { setting } from '../../../../billing/settings.ts';
import { createContact, updateContact } from '../../../../commands/customers/contacts.ts';
import { managesPeople } from '../../../../commands/portal/sessions.ts';
import { Contact } from '../../../../db/schema/contact.ts';
import { selfServiceWordsOf } from '../../../../words/selfService/words.ts';
import { fill } from '../../../../words/text.ts';
import { button, choices, confirmed, field, form, hidden } from '../../kit/forms.ts';
import { type Html, html, printed } from '../../kit/html.ts';
import { seeOther } from '../../kit/posted.ts';
import type { Form } from '../../people/site.ts';
import { answerVisit, PROBLEM, problemOf } from '../frame.ts';
import type { Place, PortalVisit, Rest } from '../place.ts';
import { formFields, NothingThere } from '../site.ts';
import { act, doneNotice, idIn } from './acting.ts';

const PATH = 'people';
const MOST_LETTERS = 255;

/** The people of a customer who may sign in. Whoever uses the customer's own address manages them. */
export const peoplePlace: Place = {
  path: PATH,
  name: (language) => selfServiceWordsOf(language).people,
  isOpen: ({ account, visitor }) => setting(account, 'portal_people') && managesPeople(visitor),
  show: async (visit, rest) => {
    if (rest.length > 0) throw new NothingThere();
    await showPeople(visit, null);
  },
  take: { needs: 'manage', form: takePeople },
};

interface Refused {
  problem: string;
  typed: Form;
}

const asRole = (text: string | undefined): PortalRole | null => portalRoles.find((one) => one === text) ?? null;

function peopleOf({ em, account, customer }: PortalVisit): Promise<Contact[]> {
  return em.find(Contact, { accountId: account.id, customer, email: { $ne: null } }, { orderBy: { id: 'asc' } });
}

async function showPeople(visit: PortalVisit, refused: Refused | null): Promise<void> {
  const { customer, head } = visit;
  const texts = selfServiceWordsOf(head.language);
  const people = (await peopleOf(visit)).filter(({ portalRole }) => portalRole != null);
  const done = refused ? null : doneNotice(visit, { saved: texts.saved, removed: texts.removed });
  const lead = fill(texts.peopleWhy, { address: head.pen.own(customer.email ?? '') });
  const list =
    people.length === 0
      ? html`<p>${texts.noPeople}</p>`
      : html`<ul class="listed">${people.map((one) => row(visit, one))}</ul>`;
  const main = html`${done}<h1>${texts.people}</h1><p class="lead">${printed(lead)}</p>${list}${addForm(visit, refused)}`;
  answerVisit(visit, { path: PATH, title: texts.people, main, status: refused ? 400 : 200 });
}

function roleChoices(visit: PortalVisit, chosen: string): Html {
  const texts = selfServiceWordsOf(visit.head.language);
  const options = [
    { value: 'pay', label: texts.rolePay, hint: texts.rolePayHint },
    { value: 'view', label: texts.roleView, hint: texts.roleViewHint },
  ];
  return choices('role', texts.role, { options, chosen });
}

function row(visit: PortalVisit, { id, name, email, portalRole }: Contact): Html {
  const texts = selfServiceWordsOf(visit.head.language);
  const path = `${visit.root}/${PATH}/${id}`;
  const change = form(
    path,
    html`${formFields(visit)}${roleChoices(visit, portalRole ?? 'view')}${button(texts.saveRole, 'plain')}`,
  );
  const remove = confirmed(
    texts.removeAccess,
    printed(fill(texts.removeWarning, { name: visit.head.pen.own(name) })),
    form(path, html`${formFields(visit)}${hidden('role', 'none')}${button(texts.removeAccess, 'danger')}`),
  );
  return html`<li><span>${name}</span><strong class="end">${portalRole === 'pay' ? texts.rolePay : texts.roleView}</strong>
<span class="second"><bdi>${email ?? ''}</bdi></span>
<details class="whole"><summary>${texts.change}</summary>${change}${remove}</details></li>`;
}

function addForm(visit: PortalVisit, refused: Refused | null): Html {
  const texts = selfServiceWordsOf(visit.head.language);
  const { name = '', email = '', role = 'view' } = refused?.typed ?? {};
  const problem = refused ? PROBLEM : null;
  const common = { maxLength: MOST_LETTERS, hint: null, isFocused: false } as const;
  const fields = html`${formFields(visit)}
${field({ ...common, name: 'name', label: texts.personName, value: name, type: 'text', autocomplete: 'off', problem: null })}
${field({ ...common, name: 'email', label: visit.words.email, value: email, type: 'email', autocomplete: 'off', problem })}
${roleChoices(visit, role)}${button(texts.addPerson, 'primary')}`;
  return html`<section><h2>${texts.addTitle}</h2>${problemOf(refused?.problem ?? null)}${form(`${visit.root}/${PATH}`, fields)}</section>`;
}

async function takePeople(visit: PortalVisit, [id, ...more]: Rest, sent: Form): Promise<void> {
  if (more.length > 0) throw new NothingThere();
  if (id === undefined) return addPerson(visit, sent);
  const people = await peopleOf(visit);
  const contact = people.find((one) => one.id === idIn(id));
  const role = sent.role === 'none' ? null : asRole(sent.role);
  if (!contact || (role === null && sent.role !== 'none')) throw new NothingThere();
  await give(visit, contact, { portalRole: role });
}

/** Gives a contact a role, or takes it away, and leads back to the list. */
async function give(
  visit: PortalVisit,
  { id }: Contact,
  fields: { portalRole: PortalRole | null; name?: string },
): Promise<void> {
  const { customer, ctx, root } = visit;
  const about = { operation: 'changePersonInPortal', object: { type: 'contact', id } };
  const refusal = await act(visit, about, (em, caller, now) =>
    updateContact(em, { caller, customerId: customer.id, id, fields }, now),
  );
  if (refusal) throw refusal;
  seeOther(ctx, `${root}/${PATH}?done=${fields.portalRole ? 'saved' : 'removed'}`);
}

/** Adds a person. A contact of the customer that has the address already gets the role. */
async function addPerson(visit: PortalVisit, sent: Form): Promise<void> {
  const { customer, ctx, root, head, words } = visit;
  const texts = selfServiceWordsOf(head.language);
  const refuse = (problem: string) => showPeople(visit, { problem, typed: sent });
  const email = (sent.email ?? '').trim();
  const name = (sent.name ?? '').trim().slice(0, MOST_LETTERS) || email;
  const portalRole = asRole(sent.role) ?? 'view';
  if (email.length > MOST_LETTERS || !EMAIL.test(email)) return refuse(words.emailWrong);
  const same = (text: string | null | undefined) => text?.toLowerCase() === email.toLowerCase();
  const known = (await peopleOf(visit)).find((one) => same(one.email));
  if (same(customer.email) || known?.portalRole) return refuse(texts.emailTaken);
  if (known) return give(visit, known, { portalRole });
  const about = { operation: 'addPersonInPortal', object: { type: 'customer', id: customer.id } };
  const refusal = await act(visit, about, (em, caller, now) =>
    createContact(em, { caller, customerId: customer.id, fields: { ...nothing, name, email, portalRole } }, now),
  );
  if (refusal) return refuse(texts.peopleFull);
  seeOther(ctx, `${root}/${PATH}?done=saved`);
}

/** A contact of the portal gets no copies of mails. */
const nothing = {
  title: null,
  phone: null,
  isPrimary: false,
  smsEnabled: false,
  department: null,
  address1: null,
  address2: null,
  city: null,
  state: null,
  postalCode: null,
  country: null,
};
