import { absolute } from '../kernel/origin.ts';
import { escapeHtml } from './html.ts';

/** URL of the tracking picture, which reports that an email was opened. */
export function pictureUrl(accountId: number, token: string): string {
  return absolute(`/opened/${accountId}/${token}.gif`);
}

/** The HTML of an email with an invisible picture. */
export function withPicture(html: string, url: string): string {
  return html.replace(
    '</body>',
    `<img src="${escapeHtml(url)}" width="1" height="1" alt="" style="display:block">\n</body>`,
  );
}
