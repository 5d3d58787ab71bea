import { escapeHtml, FONT, foot, INK, TABLE } from './html.ts';
import type { EmailParts } from './parts.ts';

/** The parts of the layout around the content of a customized mail. */
export type Frame = Pick<EmailParts, 'language' | 'direction' | 'subject' | 'seller' | 'footer'> & {
  optOut: EmailParts['optOut'] | null;
};

/** A mail with this content in the layout of all mails. The content is sanitized HTML. */
export function framedHtml(frame: Frame, content: string): string {
  const { language, direction, subject, seller } = frame;
  return `<!doctype html>
<html lang="${language}" dir="${direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:0;background:#f2f4f6">
<table ${TABLE} style="background:#f2f4f6"><tr><td align="center" style="padding:32px 16px">
<table ${TABLE} style="max-width:520px;background:#ffffff;border-radius:10px;${FONT}">
<tr><td style="padding:32px 36px 8px;font-size:15px;font-weight:600;color:${INK}">${escapeHtml(seller)}</td></tr>
<tr><td style="padding:8px 36px 28px;font-size:15px;line-height:24px;color:#3a4450">${content}</td></tr></table>
<p style="max-width:520px;margin:20px auto 0;font-size:12px;line-height:18px;color:#5f6975;${FONT}">${foot(frame)}</p>
</td></tr></table>
</body></html>
`;
}

/** The text of a customized mail, with the footer of all mails. */
export function framedText({ seller, footer, optOut }: Frame, content: string): string {
  const stop = optOut ? [`${optOut.label}: ${optOut.href}`] : [];
  return [seller, '', content, '', footer, ...stop, ''].join('\n');
}
