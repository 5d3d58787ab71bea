import type { StatementType } from '../../../billing/documents/statement.ts';
import { Unprintable } from '../../../billing/failures.ts';
import { Refusal } from '../../../billing/refusal.ts';
import { setting } from '../../../billing/settings.ts';
import { isDay, startOfDay } from '../../../billing/time/calendar.ts';
import { statementPdf } from '../../../commands/statements/printing.ts';
import { readStatement } from '../../../commands/statements/reading.ts';
import { usedCurrencies } from '../../../db/queries/portal/owed.ts';
import { portalWordsOf } from '../../../words/portal/words.ts';
import { statementWordsOf } from '../../../words/statement/words.ts';
import { sendPdf } from '../../reading/papers.ts';
import { busyPage } from '../hosted/page.ts';
import { dayField, filterForm, selectField } from '../kit/filters.ts';
import { button } from '../kit/forms.ts';
import { html, printed } from '../kit/html.ts';
import { answerPage } from '../kit/page.ts';
import { answerVisit, PROBLEM, problemOf } from './frame.ts';
import { thisMonth } from './lists.ts';
import type { Place, PortalVisit, Rest } from './place.ts';
import { NothingThere } from './site.ts';

async function show(visit: PortalVisit, [part, ...more]: Rest): Promise<void> {
  if (more.length > 0) throw new NothingThere();
  if (part === 'pdf') return sendStatement(visit);
  if (part !== undefined) throw new NothingThere();
  await ask(visit, null);
}

function textIn({ ctx }: PortalVisit, name: string): string {
  const value = ctx.query[name];
  return typeof value === 'string' ? value : '';
}

/** The page that asks for a period. */
async function ask(visit: PortalVisit, problem: string | null): Promise<void> {
  const { em, account, customer, words, root, currency, head } = visit;
  const { first, today } = thisMonth(visit);
  const used = await usedCurrencies(em, { accountId: account.id, customerId: customer.id });
  const currencies = [...new Set([currency, ...used])].map((one) => ({ value: one, label: one.toUpperCase() }));
  const types = [
    { value: 'balance_forward', label: words.movements },
    { value: 'open_item', label: words.openItems },
  ];
  const id = problem === null ? null : PROBLEM;
  const fields = html`${selectField({ name: 'type', label: words.kind, value: textIn(visit, 'type') || 'balance_forward' }, types)}
${currencies.length > 1 ? selectField({ name: 'currency', label: words.currency, value: textIn(visit, 'currency') || currency }, currencies) : null}
${dayField({ name: 'from', label: words.from, value: textIn(visit, 'from') || first, problem: id })}
${dayField({ name: 'until', label: words.until, value: textIn(visit, 'until') || today, problem: id })}
${button(head.pen.labels.download, 'primary')}`;
  const main = html`<h1>${printed(statementWordsOf(head.language).title)}</h1>
<p class="lead">${words.statementWhy}</p>
${problemOf(problem)}
${filterForm(`${root}/statements/pdf`, fields)}`;
  answerVisit(visit, { path: 'statements', title: words.statements, main, status: problem === null ? 200 : 400 });
}

/** The statement of a period as a PDF. */
async function sendStatement(visit: PortalVisit): Promise<void> {
  const { ctx, em, account, customer, now, words, site } = visit;
  const [from, until] = [textIn(visit, 'from'), textIn(visit, 'until')];
  const asked = textIn(visit, 'currency');
  const type: StatementType = textIn(visit, 'type') === 'open_item' ? 'open_item' : 'balance_forward';
  if (![from, until].every(isDay) || from > until) return ask(visit, words.errorDates);
  const day = (text: string) => new Date(startOfDay(text, account.timeZone));
  const range = { start: type === 'open_item' ? null : day(from), end: day(until) };
  const currency = /^[a-z]{3}$/.test(asked) ? asked : null;
  try {
    const statement = await readStatement(em, { account, customer, now }, { type, items: null, currency, ...range });
    sendPdf(ctx, await statementPdf({ em, pdf: site.deps.pdf }, { account, customer, statement }));
    ctx.set('Cache-Control', 'private, no-store');
  } catch (error) {
    if (error instanceof Unprintable) answerPage(ctx, busyPage(ctx.acceptsLanguages()), 503);
    else if (error instanceof Refusal) await ask(visit, words.errorDates);
    else throw error;
  }
}

/** Account statements of any period. */
export const statementsPlace: Place = {
  path: 'statements',
  name: (language) => portalWordsOf(language).statements,
  isOpen: ({ account }) => setting(account, 'portal_statements'),
  show,
};
