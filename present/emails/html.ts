import type { EmailParts, Link, Row } from './parts.ts';

export function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

const COLORS: Record<EmailParts['tone'], string> = { good: '#0f6b4f', bad: '#a3292b', plain: '#1c2530' };
export const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
export const INK = '#1c2530';
/** Attributes of a table that only arranges its content. */
export const TABLE = 'role="presentation" width="100%" cellpadding="0" cellspacing="0"';

/** The HTML of an email. All values of `parts` are escaped. Styles are inline, because mail programs ignore style sheets. */
export function emailHtml(parts: EmailParts): string {
  const { language, direction, subject, seller, heading, figure, tone } = parts;
  return `<!doctype html>
<html lang="${language}" dir="${direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:0;background:#f2f4f6">
<table ${TABLE} style="background:#f2f4f6"><tr><td align="center" style="padding:32px 16px">
<table ${TABLE} style="max-width:520px;background:#ffffff;border-radius:10px;${FONT}">
<tr><td style="padding:32px 36px 8px;font-size:15px;font-weight:600;color:${INK}">${escapeHtml(seller)}</td></tr>
<tr><td style="padding:8px 36px 0;font-size:17px;line-height:26px;color:#3a4450">${escapeHtml(heading)}</td></tr>
<tr><td style="padding:4px 36px 20px;font-size:34px;line-height:44px;font-weight:600;color:${COLORS[tone]}">${escapeHtml(figure)}</td></tr>
<tr><td style="padding:0 36px 4px">${parts.paragraphs.map(paragraph).join('')}</td></tr>
${parts.action ? button(parts.action) : ''}<tr><td style="padding:0 36px 28px"><table ${TABLE}>${parts.rows.map((one) => row(one, direction)).join('')}</table></td></tr>
${linked(parts.links ?? [])}</table>
<p style="max-width:520px;margin:20px auto 0;font-size:12px;line-height:18px;color:#5f6975;${FONT}">${foot(parts)}</p>
</td></tr></table>
</body></html>
`;
}

function paragraph(text: string): string {
  const lines = escapeHtml(text).replace(/\r?\n/g, '<br>');
  return `<p style="margin:0 0 16px;font-size:15px;line-height:24px;color:#3a4450">${lines}</p>`;
}

function row({ label, value, detail, href }: Row, direction: EmailParts['direction']): string {
  const end = direction === 'rtl' ? 'left' : 'right';
  const cell = 'padding:11px 0;border-top:1px solid #e6e9ed;font-size:14px';
  const named = href
    ? `<a href="${escapeHtml(href)}" style="color:${INK}">${escapeHtml(label)}</a>`
    : escapeHtml(label);
  const more = detail ? `<br><span style="font-size:13px;line-height:20px">${escapeHtml(detail)}</span>` : '';
  const top = detail ? ' valign="top"' : '';
  return (
    `<tr><td style="${cell};color:#69737f">${named}${more}</td>` +
    `<td align="${end}"${top} style="${cell};color:${INK}">${escapeHtml(value)}</td></tr>`
  );
}

export function foot({ footer, optOut }: Pick<EmailParts, 'footer'> & { optOut?: Link | null | undefined }): string {
  if (!optOut) return escapeHtml(footer);
  return `${escapeHtml(footer)}<br><a href="${escapeHtml(optOut.href)}" style="color:#5f6975">${escapeHtml(optOut.label)}</a>`;
}

function button({ label, href }: Link): string {
  const look = `display:inline-block;padding:11px 20px;border-radius:6px;background:${INK};color:#ffffff;text-decoration:none`;
  const link = `<a href="${escapeHtml(href)}" style="${look};font-size:15px;font-weight:600">${escapeHtml(label)}</a>`;
  return `<tr><td style="padding:0 36px 24px">${link}</td></tr>\n`;
}

function linked(links: readonly Link[]): string {
  if (links.length === 0) return '';
  const each = links.map(
    ({ label, href }) => `<a href="${escapeHtml(href)}" style="color:${INK}">${escapeHtml(label)}</a>`,
  );
  return `<tr><td style="padding:0 36px 28px;font-size:14px;line-height:24px">${each.join('<br>')}</td></tr>\n`;
}
