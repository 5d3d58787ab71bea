export interface RenderedEmail {
  subject: string;
  /** Its paragraphs alone. */
  message: string;
  html: string;
  text: string;
}

/** One email in parts: the layout makes html and text of them, so that both always say the same. */
export interface EmailParts {
  subject: string;
  /** Who writes. */
  seller: string;
  heading: string;
  /** The figure that matters, e.g. "$12.50". */
  figure: string;
  /** Tone of the figure. */
  tone: Tone;
  paragraphs: string[];
  rows: { label: string; value: string }[];
  /** Where the reader sees more. */
  action?: { label: string; href: string };
  /** Files that are too large to come along, or kept elsewhere. */
  links?: { label: string; href: string }[];
  footer: string;
}

type Tone = 'good' | 'bad' | 'plain';
const COLORS: Record<Tone, string> = { good: '#0f6b4f', bad: '#a3292b', plain: '#1c2530' };

export function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** Renders an email; nothing in `parts` is trusted as html. */
export function renderEmail(parts: EmailParts): RenderedEmail {
  const message = parts.paragraphs.join('\n\n');
  return { subject: oneLine(parts.subject), message, html: html(parts), text: text(parts) };
}

/** Header lines end at a line break: none may come from a name. */
function oneLine(value: string): string {
  return value.replace(/[\r\n]+/g, ' ').slice(0, 500);
}

function text(parts: EmailParts): string {
  const width = Math.max(...parts.rows.map((row) => row.label.length));
  const rows = parts.rows.map((row) => `${row.label.padEnd(width)}  ${row.value}`);
  return [
    parts.seller,
    '',
    parts.heading,
    parts.figure,
    '',
    parts.paragraphs.join('\n\n'),
    '',
    ...rows,
    ...(parts.action ? ['', `${parts.action.label}:`, parts.action.href] : []),
    ...(parts.links ?? []).flatMap(({ label, href }) => ['', label, href]),
    '',
    parts.footer,
    '',
  ].join('\n');
}

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

function html(parts: EmailParts): string {
  const color = COLORS[parts.tone];
  const paragraphs = parts.paragraphs.map(
    (paragraph) =>
      `<p style="margin:0 0 16px;font-size:15px;line-height:24px;color:#3a4450">${escapeHtml(paragraph).replace(/\r?\n/g, '<br>')}</p>`,
  );
  const rows = parts.rows.map(
    ({ label, value }) =>
      `<tr><td style="padding:11px 0;border-top:1px solid #e6e9ed;font-size:14px;color:#69737f">${escapeHtml(label)}</td>` +
      `<td align="right" style="padding:11px 0;border-top:1px solid #e6e9ed;font-size:14px;color:#1c2530">${escapeHtml(value)}</td></tr>`,
  );
  const links = (parts.links ?? []).map(
    ({ label, href }) => `<a href="${escapeHtml(href)}" style="color:#1c2530">${escapeHtml(label)}</a>`,
  );
  const linked =
    links.length === 0 ? '' : `<p style="margin:0 0 28px;font-size:14px;line-height:24px">${links.join('<br>')}</p>`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(parts.subject)}</title></head>
<body style="margin:0;padding:0;background:#f2f4f6">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f2f4f6"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px;background:#ffffff;border-radius:10px;${FONT}">
<tr><td style="padding:32px 36px 8px;font-size:15px;font-weight:600;color:#1c2530">${escapeHtml(parts.seller)}</td></tr>
<tr><td style="padding:8px 36px 0;font-size:17px;line-height:26px;color:#3a4450">${escapeHtml(parts.heading)}</td></tr>
<tr><td style="padding:4px 36px 20px;font-size:34px;line-height:44px;font-weight:600;color:${color}">${escapeHtml(parts.figure)}</td></tr>
<tr><td style="padding:0 36px 4px">${paragraphs.join('')}</td></tr>
<tr><td style="padding:0 36px 28px"><table role="presentation" width="100%" cellpadding="0" cellspacing="0">${rows.join('')}</table></td></tr>
${button(parts.action)}<tr><td style="padding:0 36px">${linked}</td></tr>
</table>
<p style="max-width:520px;margin:20px auto 0;font-size:12px;line-height:18px;color:#69737f;${FONT}">${escapeHtml(parts.footer)}</p>
</td></tr></table>
</body></html>
`;
}

function button(action: EmailParts['action']): string {
  if (!action) return '';
  const style =
    'display:inline-block;padding:12px 22px;border-radius:8px;background:#1c2530;color:#ffffff;font-size:15px;font-weight:600;text-decoration:none';
  return `<tr><td style="padding:0 36px 32px"><a href="${escapeHtml(action.href)}" style="${style}">${escapeHtml(action.label)}</a></td></tr>\n`;
}
