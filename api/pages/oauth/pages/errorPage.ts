import { html } from '../html.ts';
import type { Place } from '../place.ts';
import { type Answering, answerPage } from './layout.ts';

/** Shows an error that cannot be redirected to the application. The caller has set the status. */
export function errorPage(ctx: Answering, place: Place, problem: { title?: string; message: string }): void {
  const { status } = ctx;
  const { title = 'This request cannot go on', message } = problem;
  const main = html`<h1>${title}</h1>
<p class="alert" role="alert">${sentence(message)}</p>
<p class="quiet">Go back to the application and try again. If it happens again, tell the application's makers.</p>`;
  answerPage(ctx, { title, main }, { place, status });
}

function sentence(text: string): string {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}
