import { countryCodes } from '../../../billing/country.ts';
import { Refusal } from '../../../billing/refusal.ts';
import { setting } from '../../../billing/settings.ts';
import { askForEmailChange, changeDetails, type DetailField, detailFields } from '../../../commands/portal/details.ts';
import { canWrite, managesPeople } from '../../../commands/portal/sessions.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { portalWordsOf } from '../../../words/portal/words.ts';
import { selectField } from '../kit/filters.ts';
import { button, field, form, hidden } from '../kit/forms.ts';
import { type Html, html, printed } from '../kit/html.ts';
import { facts, notice } from '../kit/parts.ts';
import { seeOther } from '../kit/posted.ts';
import type { Form } from '../people/site.ts';
import { formatsIn } from './formats.ts';
import { answerVisit, PROBLEM, problemOf, tellGuest } from './frame.ts';
import type { Place, PortalVisit, Rest } from './place.ts';
import { countPortalTry, formFields, NothingThere, said } from './site.ts';

const AUTOCOMPLETE: Readonly<Record<Exclude<DetailField, 'country'>, string>> = {
  name: 'organization',
  attentionTo: 'name',
  address1: 'address-line1',
  address2: 'address-line2',
  city: 'address-level2',
  state: 'address-level1',
  postalCode: 'postal-code',
  phone: 'tel',
  taxId: 'off',
};

/** Names of the details on the page. */
function labelsIn({ words }: PortalVisit): Readonly<Record<DetailField, string>> {
  const { name, attention: attentionTo, address1, address2, city, state, postalCode, country, phone, taxId } = words;
  return { name, attentionTo, address1, address2, city, state, postalCode, country, phone, taxId };
}

interface Shown {
  typed?: Form;
  /** The field at fault. */
  wrong?: DetailField | 'email';
  email?: string;
}

async function show(visit: PortalVisit, rest: Rest): Promise<void> {
  if (rest.length > 0) throw new NothingThere();
  page(visit, {});
}

function page(visit: PortalVisit, shown: Shown): void {
  const { words, ctx, visitor, customer, account } = visit;
  const mayEdit = setting(account, 'portal_edit_details');
  const isSaved = ctx.method === 'GET' && ctx.query.saved !== undefined;
  const texts: Readonly<Record<string, string>> = {
    name: words.errorName,
    taxId: words.errorTaxId,
    email: words.emailWrong,
  };
  const problem = shown.wrong ? (texts[shown.wrong] ?? words.staleWhy) : null;
  const edits = mayEdit && canWrite(visitor, 'manage');
  const main = html`<h1>${words.details}</h1>
${isSaved ? notice(words.saved) : null}
${problemOf(problem)}
${edits ? detailsForm(visit, shown) : known(visit)}
${mayEdit && managesPeople(visitor) ? emailForm(visit, shown) : html`<p class="quiet">${printed(said(visit, words.emailNow, { address: customer.email ?? '–' }))}</p>`}
${visitor.session.maker ? null : everywhere(visit)}`;
  answerVisit(visit, { path: 'details', title: words.details, main, status: problem === null ? 200 : 400 });
}

/** The details, for those who only read. */
function known(visit: PortalVisit): Html {
  const { customer } = visit;
  const labels = labelsIn(visit);
  const { country: nameOf } = formatsIn(visit, visit.currency);
  const rows = detailFields.flatMap((name) => {
    const value = customer[name];
    return value ? [{ label: labels[name], value: name === 'country' ? nameOf(value) : value }] : [];
  });
  return facts(rows);
}

function detailsForm(visit: PortalVisit, { typed, wrong }: Shown): Html {
  const { words, root, customer } = visit;
  const labels = labelsIn(visit);
  const inputs = detailFields.map((name) => {
    const value = typed ? (typed[name] ?? '') : (customer[name] ?? '');
    if (name === 'country') return countryField(visit, { label: labels.country, value });
    return field({
      name,
      label: labels[name],
      value,
      type: 'text',
      autocomplete: AUTOCOMPLETE[name],
      maxLength: 255,
      hint: null,
      problem: wrong === name ? PROBLEM : null,
      isFocused: wrong === name,
      ...(name === 'name' ? {} : { isOptional: true as const }),
    });
  });
  const fields = html`${formFields(visit)}<div class="pairs">${inputs}</div><p class="hint">${words.detailsWhy}</p>${button(words.save, 'primary')}`;
  return form(`${root}/details`, fields);
}

function countryField(visit: PortalVisit, { label, value }: { label: string; value: string }): Html {
  const { country } = formatsIn(visit, visit.currency);
  const names = countryCodes.map((code) => ({ value: code, label: country(code) }));
  const sorted = names.toSorted((one, other) => one.label.localeCompare(other.label, visit.head.language));
  return selectField({ name: 'country', label, value }, [{ value: '', label: '–' }, ...sorted]);
}

function emailForm(visit: PortalVisit, { wrong, email = '' }: Shown): Html {
  const { words, root, customer } = visit;
  const address = field({
    name: 'email',
    label: words.newEmail,
    value: email,
    type: 'email',
    autocomplete: 'email',
    maxLength: 255,
    hint: null,
    problem: wrong === 'email' ? PROBLEM : null,
    isFocused: wrong === 'email',
  });
  return html`<section><h2>${words.changeEmail}</h2>
<p class="quiet">${printed(said(visit, words.emailNow, { address: customer.email ?? '–' }))}</p>
${form(`${root}/details/email`, html`${formFields(visit)}${address}${button(words.sendLink, 'plain')}`)}</section>`;
}

function everywhere(visit: PortalVisit): Html {
  const { words, root } = visit;
  const fields = html`${formFields(visit)}${hidden('everywhere', 'yes')}${button(words.signOutEverywhere, 'link')}`;
  return html`<section>${form(`${root}/sign_out`, fields)}</section>`;
}

async function take(visit: PortalVisit, [part, ...more]: Rest, sent: Form): Promise<void> {
  if (more.length > 0) throw new NothingThere();
  if (part === 'email') return takeEmail(visit, sent);
  if (part !== undefined) throw new NothingThere();
  const { site, account, visitor, ctx, root } = visit;
  const details = Object.fromEntries(detailFields.map((name) => [name, sent[name]?.trim() || null]));
  const { name = null, attentionTo = null, address1 = null, address2 = null, city = null } = details;
  const { state = null, postalCode = null, country = null, phone = null, taxId = null } = details;
  const whole = { name, attentionTo, address1, address2, city, state, postalCode, country, phone, taxId };
  try {
    const change = { account, visitor, details: whole };
    await inTransaction(site.deps.em, (em) => changeDetails(em, change, site.deps.systemNow()));
  } catch (error) {
    const wrong = error instanceof Refusal ? detailFields.find((one) => one === error.param) : undefined;
    if (!wrong) throw error;
    return page(visit, { typed: sent, wrong });
  }
  site.deps.poke();
  seeOther(ctx, `${root}/details?saved`);
}

/** Mails the link that confirms a new address. */
async function takeEmail(visit: PortalVisit, sent: Form): Promise<void> {
  const { site, account, visitor, words, customer } = visit;
  if (!managesPeople(visitor)) throw new Refusal('permission_missing', 'This session cannot change addresses');
  const email = (sent.email ?? '').trim();
  await countPortalTry(visit, 'email_change', String(customer.id));
  try {
    const change = { account, visitor, email };
    await inTransaction(site.deps.em, (em) => askForEmailChange(em, change, site.deps.systemNow()));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return page(visit, { wrong: 'email', email });
  }
  site.deps.poke();
  const main = html`<h1>${words.lookTitle}</h1><p class="lead">${printed(said(visit, words.emailSent, { address: email }))}</p>`;
  answerVisit(visit, { path: 'details', title: words.lookTitle, main });
}

/** Name, address and tax id of the customer, and its email address. */
export const detailsPlace: Place = {
  path: 'details',
  name: (language) => portalWordsOf(language).details,
  isOpen: () => true,
  show,
  take: {
    needs: 'manage',
    form: (visit, rest, sent) => {
      if (setting(visit.account, 'portal_edit_details')) return take(visit, rest, sent);
      const { refusedTitle: title, refusedWhy: why } = visit.words;
      tellGuest(visit, { title, why, status: 403 });
      return Promise.resolve();
    },
  },
};
