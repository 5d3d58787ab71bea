import { type Page, pageHtml } from './page.ts';
import { inactivePolicy } from './policy.ts';

/** A page as HTML in which nothing can be clicked, and which loads, runs and sends nothing wherever it is shown. */
export function inactivePage(page: Page): string {
  const { style } = page;
  return inactive(pageHtml(page), inactivePolicy('css' in style ? style.css : null));
}

/** The same of a mail. Its logo takes the place of the reference to an attachment. */
export function inactiveMail({ html, logo }: { html: string; logo: { type: string; base64: string } | null }): string {
  const shown = logo ? html.replace(/src="cid:[^"]*"/, `src="data:${logo.type};base64,${logo.base64}"`) : html;
  return inactive(shown, inactivePolicy(null));
}

/** In an inert body nothing can be clicked or filled in. */
const INERT = '<body inert';

function inactive(html: string, policy: string): string {
  const rule = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
  return html.replace('<head>', `<head>\n${rule}`).replace('<body', INERT);
}
