import { Refusal } from '../../../../billing/refusal.ts';
import { callerInPortal } from '../../../../commands/portal/acting.ts';
import { printForeseen } from '../../../../commands/subscriptions/changes/onPage.ts';
import type { AskedAddon } from '../../../../commands/subscriptions/selfService/asking.ts';
import {
  type CustomersChange,
  changeAsCustomer,
  type PreviewedChange,
  previewAsCustomer,
} from '../../../../commands/subscriptions/selfService/changing.ts';
import type { OfferedChoice, OfferedPlan } from '../../../../commands/subscriptions/selfService/offering.ts';
import type { Plan } from '../../../../db/schema/plan.ts';
import { inDryRun } from '../../../../db/transaction.ts';
import type { PrintedDocument } from '../../../../present/printed/document.ts';
import { fill } from '../../../../words/text.ts';
import { amountRows } from '../../kit/customerPage.ts';
import { button, choices, field, form, hidden, linkButton, query } from '../../kit/forms.ts';
import { type Html, html, printed } from '../../kit/html.ts';
import { facts, table } from '../../kit/parts.ts';
import { seeOther } from '../../kit/posted.ts';
import type { Form } from '../../people/site.ts';
import { answerVisit, PROBLEM, problemOf } from '../frame.ts';
import { formFields, NothingThere, said } from '../site.ts';
import { act } from './acting.ts';
import { type OwnSubscription, PATH } from './subscriptions.ts';

/** What a visitor has chosen on the page. */
interface Chosen {
  plan: OfferedPlan;
  quantity: string;
  /** Quantities of the offered add-ons, in their order. */
  addons: string[];
}

/** The page that changes plan, quantity and add-ons. With a choice in its address, it shows what the choice costs. */
export async function showChange(own: OwnSubscription): Promise<void> {
  const { ctx } = own.visit;
  if (!own.isWritable || !own.offer.canChange) throw new NothingThere();
  const sent = Object.fromEntries(
    Object.entries(ctx.query).map(([name, value]) => [name, typeof value === 'string' ? value : '']),
  );
  const chosen = chosenIn(own, sent);
  if (sent.show !== 'yes') return answer(own, { chosen, preview: null, problem: null });
  await answerPreview(own, chosen, null);
}

/** Shows a choice with its preview. `problem`: why an earlier confirmation was refused. */
async function answerPreview(own: OwnSubscription, chosen: Chosen, problem: string | null): Promise<void> {
  try {
    const preview = await previewOf(own, chosen);
    answer(own, { chosen, preview, problem });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    answer(own, { chosen, preview: null, problem: wordsFor(own, chosen, error) });
  }
}

/** Makes a change that was confirmed. A choice that has another price by now is shown again. */
export async function takeChange(own: OwnSubscription, sent: Form): Promise<void> {
  const { visit, id, path, offer } = own;
  const { ctx } = visit;
  if (!offer.canChange) return seeOther(ctx, path); // another tab was faster, or a second click
  const chosen = chosenIn(own, sent);
  const previewedAt = new Date(Number(sent.previewed_at) * 1000);
  if (Number.isNaN(previewedAt.getTime())) return answerPreview(own, chosen, own.texts.outdated);
  let time = 'now';
  const about = { operation: 'changeSubscriptionInPortal', object: { type: 'subscription', id } };
  const refusal = await act(visit, about, async (em, caller, now) => {
    const made = await changeAsCustomer(
      em,
      { ...askedBy(own, chosen), caller, previewedAt, seen: sent.seen ?? '' },
      now,
    );
    time = made.time;
  });
  if (!refusal) return seeOther(ctx, `${path}?done=${time === 'now' ? 'changed' : 'planned'}`);
  if (isAlready(own, chosen)) return seeOther(ctx, path);
  await answerPreview(own, chosen, own.texts.outdated);
}

/** Whether the subscription has what was chosen: a form was sent twice. */
function isAlready({ offer, shown }: OwnSubscription, { plan, quantity, addons }: Chosen): boolean {
  const isSameQuantity = plan.quantity === null || Number(quantity) === shown.terms.quantity;
  return plan.isCurrent && isSameQuantity && offer.addons.every((one, index) => one.quantity === Number(addons[index]));
}

function chosenIn({ offer, shown }: OwnSubscription, sent: Form): Chosen {
  const [current] = offer.plans;
  const plan = offer.plans.find((one) => one.plan.code === sent.plan) ?? current;
  if (!plan) throw new NothingThere();
  const first = plan.quantity ? Math.max(plan.quantity.min, shown.terms.quantity ?? 1) : 1;
  return {
    plan,
    quantity: sent.quantity ?? String(plan.isCurrent ? (shown.terms.quantity ?? 1) : first),
    addons: offer.addons.map((one, index) => sent[`addon_${index}`] ?? String(one.quantity)),
  };
}

const QUANTITY = /^\d{1,9}$/;

/** The choice as the command takes it. Refuses what is no quantity. */
function askedBy({ id, offer }: OwnSubscription, chosen: Chosen): Omit<CustomersChange, 'caller'> {
  const { plan, quantity, addons } = chosen;
  const numberIn = (text: string, param: string) => {
    if (!QUANTITY.test(text.trim())) throw new Refusal('parameter_invalid', `This is no quantity: ${text}`, param);
    return Number(text.trim());
  };
  const asked = offer.addons.map(
    (one, index): AskedAddon => ({
      plan: one.plan?.code ?? null,
      item: one.item?.code ?? null,
      quantity: numberIn(addons[index] ?? '', `addons[${index}]`),
    }),
  );
  return {
    id,
    planCode: plan.isCurrent ? undefined : plan.plan.code,
    quantity: plan.quantity ? numberIn(quantity, 'quantity') : undefined,
    addons: asked,
  };
}

interface ShownPreview {
  previewed: PreviewedChange;
  now: PrintedDocument[];
  next: PrintedDocument | null;
}

function previewOf(own: OwnSubscription, chosen: Chosen): Promise<ShownPreview> {
  const { account, visitor, site } = own.visit;
  const asked = { ...askedBy(own, chosen), caller: callerInPortal(account, visitor) };
  return inDryRun(site.deps.em, async (em) => {
    const previewed = await previewAsCustomer(em, asked, site.deps.systemNow());
    const { locked } = previewed.made;
    const now = previewed.invoices.map((bill) => printForeseen(locked, bill));
    return { previewed, now, next: previewed.next && printForeseen(locked, previewed.next) };
  });
}

/** What is wrong with a choice, in words. */
function wordsFor({ texts, writing }: OwnSubscription, { plan }: Chosen, { param }: Refusal): string {
  if (param !== 'quantity' || !plan.quantity) return texts.notPossible;
  const { min, max } = plan.quantity;
  const inWords = (count: number) => writing.formats.quantity(String(count));
  return `${writing.labels.quantity}: ${fill(texts.quantityFrom, { min: inWords(min), max: inWords(max) })}`;
}

function answer(
  own: OwnSubscription,
  { chosen, preview, problem }: { chosen: Chosen; preview: ShownPreview | null; problem: string | null },
): void {
  const { visit, path, texts } = own;
  const main = html`<h1>${texts.changeTitle}</h1>
${problemOf(problem)}
${query(`${path}/change`, html`${fieldsOf(own, chosen, problem !== null && !preview)}${hidden('show', 'yes')}<div class="actions">${button(texts.show, preview ? 'plain' : 'primary')}${linkButton(texts.back, path, 'plain')}</div>`)}
${preview ? previewSection(own, chosen, preview) : null}`;
  answerVisit(visit, { path: PATH, title: texts.changeTitle, main, status: problem === null ? 200 : 400 });
}

/** The fields of a choice. Those without a choice are left out. */
function fieldsOf({ offer, texts, writing, host }: OwnSubscription, chosen: Chosen, isWrong: boolean): Html {
  const { words, labels, formats } = writing;
  const options = offer.plans.map(({ plan }) => ({
    value: plan.code,
    label: plan.name,
    hint: printed(priceOf(plan, formats)),
  }));
  const plans = options.length > 1 ? choices('plan', words.plan, { options, chosen: chosen.plan.plan.code }) : null;
  const number = { type: 'number', autocomplete: 'off', maxLength: 9, isFocused: false, inputMode: 'decimal' } as const;
  const bounds = offer.plans.flatMap((one) => one.quantity ?? []);
  const inWords = (count: number) => formats.quantity(String(count));
  const spans = offer.plans.flatMap(({ plan, quantity: span }) =>
    span ? [{ plan, text: fill(texts.quantityFrom, { min: inWords(span.min), max: inWords(span.max) }) }] : [],
  );
  const isSame = spans.length === offer.plans.length && new Set(spans.map(({ text }) => text)).size === 1;
  const hint = isSame ? (spans[0]?.text ?? '') : spans.map(({ plan, text }) => `${plan.name}: ${text}`).join(' · ');
  const quantity =
    bounds.length > 0
      ? field({
          ...number,
          name: 'quantity',
          label: labels.quantity,
          value: chosen.quantity,
          min: String(Math.min(...bounds.map(({ min }) => min))),
          max: String(Math.max(...bounds.map(({ max }) => max))),
          hint,
          problem: isWrong ? PROBLEM : null,
        })
      : null;
  const nameOf = ({ plan, item }: OfferedChoice) => plan?.name ?? item?.name ?? '';
  const addons = offer.addons.map((one, index) =>
    field({
      ...number,
      name: `addon_${index}`,
      label: nameOf(one),
      value: chosen.addons[index] ?? '0',
      min: '0',
      max: String(one.maxQuantity),
      hint: printed(`${priceOfAddon(one, formats)} · ${fill(texts.atMost, { max: inWords(one.maxQuantity) })}`),
      problem: null,
    }),
  );
  return html`${plans}${quantity}${addons.length > 0 ? html`<h2>${host.words.addons}</h2>${addons}` : null}`;
}

type Formats = OwnSubscription['writing']['formats'];

/** The price of one unit for one period. Tiers are shown by the first one. */
function priceOf({ amount, tiers, interval, intervalCount }: Plan, formats: Formats): string {
  const cost = amount ?? tiers?.[0]?.unitCost ?? null;
  const period = formats.duration(intervalCount, interval);
  return cost === null ? period : `${formats.price(cost)} · ${period}`;
}

function priceOfAddon({ plan, item }: OfferedChoice, formats: Formats): string {
  if (plan) return priceOf(plan, formats);
  return item ? formats.price(item.unitCost) : '';
}

/** What a change bills, now and later, and the form that confirms it. */
function previewSection(own: OwnSubscription, chosen: Chosen, { previewed, now, next }: ShownPreview): Html {
  const { texts, writing, visit, path } = own;
  const { made, previewedAt, creditNotes, next: bill } = previewed;
  const { formats } = writing;
  const day = bill ? formats.day(bill.invoice.date) : '';
  const when = made.time === 'now' ? texts.countsNow : fill(texts.countsLater, { day });
  const later = next
    ? facts([
        { label: printed(fill(texts.nextRegular, { day })), value: printed(next.sums.at(-1)?.value ?? '') },
        { label: texts.regular, value: printed(formats.money(made.recurringTotal)) },
      ])
    : facts([{ label: texts.regular, value: printed(formats.money(made.recurringTotal)) }]);
  const credited = creditNotes.map(({ creditNote }) => ({
    label: texts.creditedNow,
    value: printed(formats.money(creditNote.total)),
  }));
  const kept = [
    hidden('plan', chosen.plan.plan.code),
    hidden('quantity', chosen.quantity),
    ...chosen.addons.map((quantity, index) => hidden(`addon_${index}`, quantity)),
    hidden('previewed_at', String(Math.floor(previewedAt.getTime() / 1000))),
    hidden('seen', made.seen),
  ];
  const confirm = html`${formFields(visit)}${kept}<p>${printed(said(visit, texts.agreeing))}</p>${button(texts.confirm, 'primary')}`;
  return html`<section><h2>${texts.previewTitle}</h2><p>${printed(when)}</p>
${now.length > 0 ? now.map((one) => billTable(own, one)) : html`<p>${texts.nothingNow}</p>`}
${credited.length > 0 ? facts(credited) : null}
${later}
${form(`${path}/change`, confirm)}</section>`;
}

function billTable({ texts, writing }: OwnSubscription, { lines, sums }: PrintedDocument): Html {
  const rows = lines.map(({ name, details, amount }) => [
    html`${printed(name)}${details.map((detail) => html`<span class="detail">${printed(detail)}</span>`)}`,
    printed(amount),
  ]);
  const columns = [
    { label: writing.labels.description, look: 'name' },
    { label: writing.labels.amount, look: 'amount' },
  ];
  return html`<h3>${texts.billedNow}</h3>${table(texts.billedNow, columns, rows)}${amountRows(sums)}`;
}
