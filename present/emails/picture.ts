import { escaped } from '../kernel/escape.ts';
import { absolute } from '../kernel/origin.ts';

/** URL of the tracking picture. A request for it means that the email was opened. */
export function pictureUrl(accountId: number, token: string): string {
  return absolute(`/opened/${accountId}/${token}.gif`);
}

/** Adds the invisible tracking picture to the HTML of an email. */
export function withPicture(html: string, url: string): string {
  return html.replace('</body>', `${pictureOf(url)}</body>`);
}

/** The HTML of an email without its tracking picture. */
export function withoutPicture(html: string, url: string): string {
  return html.replace(pictureOf(url), '');
}

function pictureOf(url: string): string {
  return `<img src="${escaped(url)}" width="1" height="1" alt="" style="display:block">\n`;
}
