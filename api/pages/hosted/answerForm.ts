import type { PrintedAnswer } from '../../../present/printed/estimate.ts';
import type { Labels } from '../../../words/labels/wording.ts';
import { button, form, hidden, initialsField, lines } from '../kit/forms.ts';
import { attributes, type Html, html, printed } from '../kit/html.ts';
import { alert } from '../kit/parts.ts';

type Reason = 'initials' | 'answer' | 'changed' | 'late';

export interface AnswerForm {
  answer: PrintedAnswer;
  /** Path that the form is sent to. */
  path: string;
  /** Hash of the document as the page shows it. The form sends it back, so that an answer to an outdated page is refused. */
  seen: string;
  /** The reason why an answer was refused, and what was typed: the initials, and why the estimate is declined. */
  refused: { reason: Reason; initials: string; declined: string } | null;
}

const ALERT = 'refused';

/** The customer's answer to an estimate, or the form to give it. */
export function answerSection(given: AnswerForm, labels: Labels): Html | null {
  const { answer, refused } = given;
  const { isOpen, said } = answer;
  const problem = refused && alert(wordsOf(refused.reason, labels), ALERT);
  if (isOpen) {
    return html`<section class="answer" aria-labelledby="answer-title">
<h2 id="answer-title">${labels.yourAnswer}</h2>
${problem}
${answerForm(given, labels)}
</section>`;
  }
  const shown = said && html`<p class="${said.tone}"><strong>${printed(said.text)}</strong></p>`;
  return shown || problem ? html`<section class="answer">${problem}${shown}</section>` : null;
}

function answerForm({ path, seen, refused }: AnswerForm, labels: Labels): Html {
  const isWrong = refused?.reason === 'initials';
  const initials = initialsField(labels, { value: refused?.initials ?? '', problem: isWrong ? ALERT : null });
  const approve = button(labels.approve, 'primary', { name: 'answer', value: 'approve' });
  const decline = button(labels.decline, 'danger', { name: 'answer', value: 'decline' });
  const reason = lines({
    name: 'reason',
    label: labels.declineReason,
    value: refused?.declined ?? '',
    hint: null,
    rows: 3,
    isOptional: true,
    isProse: true,
    maxLength: 1000,
  });
  const open = attributes({ open: Boolean(refused?.declined) });
  const declining = html`<details class="declining"${open}><summary class="button plain">${labels.decline}</summary>${reason}${decline}</details>`;
  return form(path, html`${hidden('seen', seen)}${initials}<p class="buttons">${approve}</p>${declining}`);
}

function wordsOf(reason: Reason, { initialsMissing, answerMissing, changed, tooLate }: Labels): string {
  return { initials: initialsMissing, answer: answerMissing, changed, late: tooLate }[reason];
}
