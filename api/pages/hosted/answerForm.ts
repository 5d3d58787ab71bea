import type { PrintedAnswer } from '../../../present/printed/answer.ts';
import type { Labels } from '../../../present/printed/wording.ts';
import { type Html, html, htmlOfPrinted } from '../oauth/html.ts';

type Reason = 'initials' | 'answer' | 'changed' | 'late';

export interface AnswerForm {
  answer: PrintedAnswer;
  /** Path that the form is sent to. */
  path: string;
  /** Fingerprint of the document as shown on the page. It is sent with the answer, so that only this state is answered. */
  seen: string;
  /** The reason why an answer was refused, and the initials that were typed. */
  refused: { reason: Reason; initials: string } | null;
}

/** The customer's answer to an estimate, or the form to give it. */
export function answerSection({ answer, path, seen, refused }: AnswerForm, labels: Labels): Html | null {
  const { isOpen, said } = answer;
  const alert = refused && html`<p class="alert" role="alert" id="refused">${wordsOf(refused.reason, labels)}</p>`;
  if (!isOpen) {
    const shown = said && htmlOfPrinted`<p class="${said.tone}"><strong>${said.text}</strong></p>`;
    return shown || alert ? html`<section class="answer">${alert}${shown}</section>` : null;
  }
  const described = refused?.reason === 'initials' ? 'refused recorded' : 'recorded';
  const invalid = refused?.reason === 'initials' ? html` aria-invalid="true"` : null;
  return html`<section class="answer" aria-labelledby="answer-title">
<h2 id="answer-title">${labels.yourAnswer}</h2>
${alert}
<form method="post" action="${path}">
<input type="hidden" name="seen" value="${seen}">
<label for="initials">${labels.initials}</label>
<input id="initials" name="initials" maxlength="10" autocomplete="off" required aria-describedby="${described}"${invalid} value="${refused?.initials ?? ''}">
<button class="button" name="answer" value="approve">${labels.approve}</button>
<button class="button other" name="answer" value="decline">${labels.decline}</button>
<p id="recorded">${labels.recorded}</p>
</form>
</section>`;
}

function wordsOf(reason: Reason, { initialsMissing, answerMissing, changed, tooLate }: Labels): string {
  return { initials: initialsMissing, answer: answerMissing, changed, late: tooLate }[reason];
}
