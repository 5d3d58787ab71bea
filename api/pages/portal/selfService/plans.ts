import { awaitsApproval, isRunning } from '../../../../billing/collection/paymentPlan.ts';
import { add, isPositive } from '../../../../billing/money/money.ts';
import { setting } from '../../../../billing/settings.ts';
import { canWrite } from '../../../../commands/portal/sessions.ts';
import { PaymentPlan } from '../../../../db/schema/paymentPlan.ts';
import { writingFor } from '../../../../present/emails/writing.ts';
import { approvalUrl } from '../../../../present/kernel/links.ts';
import { selfServiceWordsOf } from '../../../../words/selfService/words.ts';
import { fill } from '../../../../words/text.ts';
import { linkButton } from '../../kit/forms.ts';
import { type Html, html, printed } from '../../kit/html.ts';
import { answerVisit } from '../frame.ts';
import type { Place, PortalVisit } from '../place.ts';
import { NothingThere } from '../site.ts';

const PATH = 'plans';
const MOST_SHOWN = 50;

/** The payment plans that run, and those that wait for the approval of the customer. */
export const plansPlace: Place = {
  path: PATH,
  name: (language) => selfServiceWordsOf(language).plans,
  isOpen: ({ account }) => setting(account, 'portal_plans'),
  show: async (visit, rest) => {
    if (rest.length > 0) throw new NothingThere();
    const { em, account, customer, head } = visit;
    const texts = selfServiceWordsOf(head.language);
    const found = await em.find(
      PaymentPlan,
      { accountId: account.id, customer, status: { $in: ['pending_signup', 'active'] } },
      { populate: ['invoice'], orderBy: { id: 'desc' }, limit: MOST_SHOWN },
    );
    const open = found.filter((plan) => isRunning(plan) && plan.invoice.paymentPlanId === plan.id);
    const list =
      open.length === 0
        ? html`<p class="lead">${texts.noPlans}</p>`
        : html`<ul class="listed">${open.map((plan) => row(visit, plan))}</ul>`;
    answerVisit(visit, { path: PATH, title: texts.plans, main: html`<h1>${texts.plans}</h1>${list}` });
  },
};

function row(visit: PortalVisit, plan: PaymentPlan): Html {
  const { account, customer, head, visitor } = visit;
  const texts = selfServiceWordsOf(head.language);
  const { currency, timeZone, number, id } = plan.invoice;
  const { formats } = writingFor(account, customer, { currency, timeZone });
  const total = plan.installments.reduce((sum, { amount }) => add(sum, amount), '0');
  const next = plan.installments.find(({ balance }) => isPositive(balance));
  const waits = awaitsApproval(plan) && !plan.invoice.closed;
  const url = approvalUrl(plan);
  const count = formats.quantity(String(plan.installments.length));
  // The address approves by itself: only who may do so gets it.
  const approve =
    waits && url && canWrite(visitor, 'manage')
      ? html`<p class="actions whole">${linkButton(texts.readAndApprove, new URL(url).pathname)}</p>`
      : null;
  const due =
    next && fill(texts.installment, { amount: formats.money(next.balance), day: formats.day(new Date(next.date)) });
  return html`<li><span>${printed(fill(texts.invoiceTitle, { number: head.pen.own(number ?? `${id}`) }))}</span>
<strong class="end">${waits ? texts.plansWait : texts.planRuns}</strong>
<span class="whole">${printed(fill(texts.planState, { count, amount: formats.money(total) }))}${due ? html`<br>${printed(due)}` : null}</span>${approve}</li>`;
}
