import { type Html, html } from '../../kit/html.ts';
import { answerPage, kitVersion, type PageContext } from '../../kit/page.ts';
import { alert, badge } from '../../kit/parts.ts';
import type { Place } from '../place.ts';

export interface Shown {
  title: string;
  main: Html;
  status: number;
  /** The signed-in member, with a link to sign out. */
  header?: Html;
  isWide?: boolean;
  /** Redirect URIs of the application that is being authorized. The form leads to them. */
  formTargets?: readonly string[];
}

/** Answers with an OAuth page in the common layout. */
export function showPage(ctx: PageContext, place: Place, shown: Shown): void {
  const { title, main, status, header = null, isWide = false, formTargets = [] } = shown;
  const page = {
    language: 'en',
    direction: 'ltr',
    title: `${title} · Perennial`,
    style: { href: `${place.prefix}/oauth/style.css?v=${kitVersion}` },
    width: isWide ? 'wide' : 'narrow',
    top: top(place, header),
    main,
    foot: null,
    hasPictures: false,
    formTargets,
  } as const;
  answerPage(ctx, page, status);
}

function top({ environment }: Place, header: Html | null): Html {
  const sandbox = environment === 'sandbox' ? badge('Sandbox') : null;
  return html`<header class="top"><span class="brand"><span class="sign" aria-hidden="true"></span>Perennial ${sandbox}</span>${header}</header>`;
}

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
