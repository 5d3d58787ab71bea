import { button, form, hidden } from '../kit/forms.ts';
import { type Html, html } from '../kit/html.ts';
import { answerPage, kitStyle } from '../kit/page.ts';
import { alert } from '../kit/parts.ts';
import type { PageScript } from '../kit/policy.ts';
import { formToken, type PageContext, type PeopleSite } from './site.ts';

export interface Shown {
  title: string;
  main: Html;
  status?: number;
  /** The address of the person who is signed in; null: nobody is. */
  email?: string | null;
  isWide?: boolean;
  hasPictures?: boolean;
  /** Addresses of other sites to which its form may lead at last. */
  formTargets?: readonly string[];
  /** Absent: it runs no script. */
  script?: PageScript | null;
}

/** Answers with a page of people in the common layout. */
export function showPage(site: PeopleSite, ctx: PageContext, shown: Shown): void {
  const { title, main, status = 200, email = null, isWide = false, hasPictures = false, formTargets = [] } = shown;
  const { script = null } = shown;
  const page = {
    language: 'en',
    direction: 'ltr',
    title: `${title} · Perennial`,
    style: { css: kitStyle },
    width: isWide ? 'wide' : 'narrow',
    top: top(site, ctx, email),
    main,
    foot: null,
    hasPictures,
    formTargets,
    script,
  } as const;
  answerPage(ctx, page, status);
}

function top(site: PeopleSite, ctx: PageContext, email: string | null): Html {
  const out =
    email === null
      ? null
      : form('/sign_out', html`${formToken(site, ctx)}<span>${email}</span> ${button('Sign out', 'link')}`, 'inline');
  return html`<header class="top"><a class="brand" href="/accounts"><span class="sign" aria-hidden="true"></span>Perennial</a>${out}</header>`;
}

/** A page that says what is wrong, and where to go on. */
export function showProblem(
  site: PeopleSite,
  ctx: PageContext,
  { title, message, status }: { title: string; message: string; status: number },
): void {
  const main = html`<h1>${title}</h1>
${alert(message)}
<p><a href="/sign_in">Sign in</a></p>`;
  showPage(site, ctx, { title, main, status });
}

/** The hidden fields of every form of people: the CSRF token, and where to go afterwards. */
export function formFields(site: PeopleSite, ctx: PageContext, returnTo: string | null = null): Html {
  return html`${formToken(site, ctx)}${returnTo === null ? null : hidden('return_to', returnTo)}`;
}
