import { absolute } from '../kernel/origin.ts';
import { escapeHtml } from './html.ts';

/** Address of the picture by which an email that is opened tells so. */
export function pictureUrl(accountId: number, token: string): string {
  return absolute(`/opened/${accountId}/${token}.gif`);
}

/** The html of an email with a picture that nobody sees. */
export function withPicture(html: string, url: string): string {
  return html.replace(
    '</body>',
    `<img src="${escapeHtml(url)}" width="1" height="1" alt="" style="display:block">\n</body>`,
  );
}
