import { html } from '../../kit/html.ts';
import type { PageContext } from '../../kit/page.ts';
import { alert } from '../../kit/parts.ts';
import type { Place } from '../place.ts';
import { showPage } from './layout.ts';

/** Shows an error that must not be redirected to the application. The caller sets the status first. */
export function errorPage(ctx: PageContext, place: Place, problem: { title?: string; message: string }): void {
  const { status } = ctx;
  const { title = 'This request cannot be continued', message } = problem;
  const main = html`<h1>${title}</h1>
${alert(sentence(message))}
<p class="quiet">Go back to the application and try again. If it happens again, tell the application's makers.</p>`;
  showPage(ctx, place, { title, main, status });
}

function sentence(text: string): string {
  const beginsWithWord = /^[a-z]+[\s,]/.test(text); // not with a parameter's name
  const capital = beginsWithWord ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}
