import {
  type CancellationReason,
  cancellationReasons,
  customersChoices,
} from '../../../../billing/subscriptions/selfService.ts';
import { addDaysToDay, isDay, localDay, startOfDay } from '../../../../billing/time/calendar.ts';
import {
  cancelAsCustomer,
  pauseAsCustomer,
  resumeAsCustomer,
  undoAsCustomer,
} from '../../../../commands/subscriptions/selfService/ending.ts';
import { lastDay } from '../../../../present/emails/subscription.ts';
import type { SelfServiceWords } from '../../../../words/selfService/wording.ts';
import { fill } from '../../../../words/text.ts';
import { button, choices, field, form, hidden, lines, linkButton } from '../../kit/forms.ts';
import { html, printed } from '../../kit/html.ts';
import { seeOther } from '../../kit/posted.ts';
import type { Form } from '../../people/site.ts';
import { answerVisit, PROBLEM, problemOf } from '../frame.ts';
import { formFields, NothingThere } from '../site.ts';
import { act } from './acting.ts';
import { type OwnSubscription, PATH } from './subscriptions.ts';

const MOST_COMMENT = 1000;

const reasonWords: Record<CancellationReason, keyof SelfServiceWords> = {
  too_expensive: 'tooExpensive',
  missing_features: 'missingFeatures',
  quality: 'quality',
  unused: 'unused',
  switched: 'switched',
  temporary: 'temporary',
  other: 'other',
};

/** The last moment that is paid for; null: nothing runs. */
function endOf({ shown: { terms, state } }: OwnSubscription): Date | null {
  return terms.contract?.endAt ?? state.periodEndAt ?? null;
}

/** The page that cancels a subscription: when, and why. */
export function showCancel(own: OwnSubscription): void {
  const { visit, texts, path, offer, writing } = own;
  if (!own.isWritable || offer.cancel === 'none') throw new NothingThere();
  const end = endOf(own);
  const day = end ? lastDay(end, writing) : '';
  const when =
    offer.cancel === 'now' && end
      ? choices('when', texts.whenEnds, {
          chosen: 'period_end',
          options: [
            { value: 'period_end', label: printed(fill(texts.atPeriodEnd, { day })), hint: null },
            { value: 'now', label: texts.atOnce, hint: texts.atOnceHint },
          ],
        })
      : html`${hidden('when', end ? 'period_end' : offer.cancel)}${end ? html`<p class="lead">${printed(fill(texts.keepsUntil, { day }))}</p>` : null}`;
  const options = cancellationReasons.map((value) => ({ value, label: texts[reasonWords[value]], hint: null }));
  const comment = lines({
    name: 'comment',
    label: texts.comment,
    value: '',
    hint: null,
    rows: 3,
    maxLength: MOST_COMMENT,
    isOptional: true,
    isProse: true,
  });
  const fields = html`${formFields(visit)}${when}${choices('reason', texts.whyCancel, { options, chosen: '' })}${comment}
<div class="actions">${button(texts.cancelNow, 'danger')}${linkButton(texts.keepIt, path, 'plain')}</div>`;
  const main = html`<h1>${texts.cancelTitle}</h1>${form(`${path}/cancel`, fields)}`;
  answerVisit(visit, { path: PATH, title: texts.cancelTitle, main });
}

export async function takeCancel({ visit, id, path, offer }: OwnSubscription, sent: Form): Promise<void> {
  const when = sent.when === 'now' ? 'now' : 'period_end';
  const reason = cancellationReasons.find((one) => one === sent.reason) ?? null;
  const comment = (sent.comment ?? '').trim().slice(0, MOST_COMMENT) || null;
  if (offer.cancel === 'none') return seeOther(visit.ctx, path); // it was canceled before: a second click, or another tab
  const about = { operation: 'cancelSubscriptionInPortal', object: { type: 'subscription', id } };
  const refusal = await act(visit, about, (em, caller, now) =>
    cancelAsCustomer(em, { caller, id, when, cancellation: { reason, comment } }, now),
  );
  if (refusal) throw refusal;
  seeOther(visit.ctx, `${path}?done=${when === 'now' ? 'ended' : 'cancel'}`);
}

/** The page that plans a pause. */
export function showPause(own: OwnSubscription, problem: string | null = null, typed = ''): void {
  const { visit, texts, path, offer, writing, shown } = own;
  const end = shown.state.periodEndAt ?? null;
  if (!own.isWritable || !offer.canPause || !end) throw new NothingThere();
  const first = addDaysToDay(localDay(end.getTime(), shown.terms.timeZone), 1);
  const resumeOn = field({
    name: 'resume_on',
    label: texts.resumeOn,
    value: typed,
    type: 'date',
    autocomplete: 'off',
    maxLength: 10,
    min: first,
    hint: texts.resumeHint,
    problem: problem === null ? null : PROBLEM,
    isFocused: false,
    isOptional: true,
  });
  const fields = html`${formFields(visit)}${resumeOn}<div class="actions">${button(texts.pauseIt, 'primary')}${linkButton(texts.back, path, 'plain')}</div>`;
  const main = html`<h1>${texts.pauseTitle}</h1>
<p class="lead">${printed(fill(texts.pauseWhy, { day: writing.formats.day(end) }))}</p>
${problemOf(problem)}
${form(`${path}/pause`, fields)}`;
  answerVisit(visit, { path: PATH, title: texts.pauseTitle, main, status: problem === null ? 200 : 400 });
}

export async function takePause(own: OwnSubscription, sent: Form): Promise<void> {
  const { visit, id, path, offer, texts, shown } = own;
  if (!offer.canPause) return seeOther(visit.ctx, path);
  const day = (sent.resume_on ?? '').trim();
  const resumeAt = isDay(day) ? new Date(startOfDay(day, shown.terms.timeZone)) : null;
  if (day !== '' && resumeAt === null) return showPause(own, texts.notPossible, day);
  const about = { operation: 'pauseSubscriptionInPortal', object: { type: 'subscription', id } };
  const refusal = await act(visit, about, (em, caller, now) => pauseAsCustomer(em, { caller, id, resumeAt }, now));
  if (refusal?.param === 'resume_at') return showPause(own, texts.notPossible, day);
  if (refusal) throw refusal;
  seeOther(visit.ctx, `${path}?done=pause`);
}

export async function takeResume({ visit, id, path, offer }: OwnSubscription): Promise<void> {
  if (!offer.canResume) return seeOther(visit.ctx, path);
  const about = { operation: 'resumeSubscriptionInPortal', object: { type: 'subscription', id } };
  const refusal = await act(visit, about, (em, caller, now) => resumeAsCustomer(em, { caller, id }, now));
  if (refusal) throw refusal;
  seeOther(visit.ctx, `${path}?done=resume`);
}

export async function takeUndo({ visit, id, path, offer }: OwnSubscription, sent: Form): Promise<void> {
  const what = customersChoices.find((one) => one === sent.what);
  if (!what || !offer.undo.includes(what)) return seeOther(visit.ctx, path);
  const about = { operation: 'undoInPortal', object: { type: 'subscription', id } };
  const refusal = await act(visit, about, (em, caller, now) => undoAsCustomer(em, { caller, id, what }, now));
  if (refusal) throw refusal;
  seeOther(visit.ctx, `${path}?done=undone`);
}
