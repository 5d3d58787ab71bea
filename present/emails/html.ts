import { labelsOf } from '../../words/labels/words.ts';
import { absolute } from '../kernel/links.ts';
import { escaped } from '../kernel/values.ts';
import { directionOf } from '../printed/formats.ts';
import type { Brand } from './brand.ts';
import type { EmailParts, Link, Row } from './parts.ts';
import { buttonEdge, colorsOf, darkStyle, FONT, type MailColour } from './style.ts';

/** The look of an element: inline, for mail programs that ignore style sheets, and as a class, for those that change to dark colours. */
const look = (name: MailColour, brand: Brand): string => `class="${name}" style="color:${colorsOf(brand)[name].light}`;

const TABLE = 'role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"';

/** The parts of a mail around its content. */
interface Frame extends Pick<EmailParts, 'language' | 'direction' | 'subject' | 'seller' | 'footer'> {
  brand: Brand;
  /** Link to the page on which the recipient stops such mails; null: there is none. */
  optOut: Link | null;
}

/** The HTML of an email. All values of `parts` and `brand` are escaped. */
export function emailHtml(parts: EmailParts, brand: Brand): string {
  const { direction, heading, figureNote = null, optOut = null } = parts;
  const rows = parts.rows.map((one) => row(one, direction, brand)).join('');
  const content = `<tr><td ${look('soft', brand)};padding:8px 36px 0;font-size:17px;line-height:26px">${escaped(heading)}</td></tr>
${figureRow(parts, brand)}
${figureNote === null ? '' : noted(figureNote, brand)}<tr><td style="padding:0 36px 4px">${parts.paragraphs.map((text) => paragraph(text, brand)).join('')}</td></tr>
${parts.action ? button(parts.action, brand) : ''}<tr><td style="padding:0 36px 28px"><table ${TABLE}>${rows}</table></td></tr>
${linked(parts.links ?? [], brand)}`;
  return framed({ ...parts, brand, optOut }, { content, hidden: preheader(parts) });
}

/** The line with the most important amount. A mail about no amount has none. */
function figureRow({ figure, figureNote = null, tone }: EmailParts, brand: Brand): string {
  if (figure === '') return '';
  const size = 'font-size:34px;line-height:44px;font-weight:600';
  return `<tr><td ${look(tone, brand)};padding:4px 36px ${figureNote === null ? 20 : 0}px;${size}">${escaped(figure)}</td></tr>`;
}

/** The line below the figure. */
function noted(note: string, brand: Brand): string {
  return `<tr><td ${look('soft', brand)};padding:0 36px 20px;font-size:14px;line-height:20px">${escaped(note)}</td></tr>\n`;
}

/** A mail with this content in the layout of all mails. The content is sanitized HTML. */
export function framedHtml(frame: Frame, content: string): string {
  const { brand } = frame;
  const row = `<tr><td ${look('soft', brand)};padding:8px 36px 28px;font-size:15px;line-height:24px">${content}</td></tr>`;
  return framed(frame, { content: row, hidden: '' });
}

/** The layout of all mails around rows of a table. `hidden`: HTML that is not shown. */
function framed(frame: Frame, { content, hidden }: { content: string; hidden: string }): string {
  const { language, direction, subject, brand } = frame;
  const { page, sheet } = colorsOf(brand);
  return `<!doctype html>
<html lang="${language}" dir="${direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escaped(subject)}</title><style>${darkStyle(brand)}</style></head>
<body class="page" style="margin:0;padding:0;background:${page.light}">
${hidden}<table ${TABLE} class="page" style="background:${page.light}"><tr><td align="center" style="padding:32px 16px">
${test(brand)}<table ${TABLE} class="sheet" style="max-width:520px;background:${sheet.light};border-radius:${corner(brand, 10)};${FONT}">
<tr><td ${look('ink', brand)};padding:32px 36px 8px;font-size:15px;font-weight:600">${sender(frame, brand)}</td></tr>
${content}</table>
<p ${look('quiet', brand)};max-width:520px;margin:20px auto 0;font-size:12px;line-height:18px;${FONT}">${foot(frame)}</p>
</td></tr></table>
</body></html>
`;
}

const LONGEST_PREHEADER = 140;

/** Text that mail programs show beside the subject. It is hidden in the mail itself. */
function preheader({ figure, paragraphs }: EmailParts): string {
  const text = [figure, ...paragraphs].join(' · ').replace(/\s+/g, ' ');
  const shown = escaped([...text].slice(0, LONGEST_PREHEADER).join(''));
  return `<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${shown}</div>\n`;
}

function test(brand: Brand): string {
  const { test: words } = brand;
  if (words === null) return '';
  return `<p ${look('bad', brand)};max-width:520px;margin:0 auto 16px;font-size:13px;font-weight:600;${FONT}">${escaped(words)}</p>\n`;
}

/** The sender's logo above its name. */
function sender({ seller }: Pick<EmailParts, 'seller'>, { logo }: Brand): string {
  const picture = logo
    ? `<img src="cid:${escaped(logo)}" alt="" height="40" class="logo" style="display:block;height:40px;max-width:200px;margin:0 0 12px;border:0">`
    : '';
  return `${picture}${escaped(seller)}`;
}

function paragraph(text: string, brand: Brand): string {
  const lines = escaped(text).replace(/\r?\n/g, '<br>');
  return `<p ${look('soft', brand)};margin:0 0 16px;font-size:15px;line-height:24px">${lines}</p>`;
}

function row({ label, value, detail, href, isSum }: Row, direction: EmailParts['direction'], brand: Brand): string {
  const { rule, quiet, ink } = colorsOf(brand);
  const end = direction === 'rtl' ? 'left' : 'right';
  const bold = isSum ? ';font-weight:600' : '';
  const cell = `padding:11px 0;border-top:1px solid ${rule.light};font-size:14px${bold}`;
  const named = href ? link({ label, href }, brand) : escaped(label);
  const more = detail ? `<br><span style="font-size:13px;line-height:20px">${escaped(detail)}</span>` : '';
  const top = detail ? ' valign="top"' : '';
  return (
    `<tr><td class="${isSum ? 'ink' : 'quiet'} rule" style="${cell};color:${isSum ? ink.light : quiet.light}">${named}${more}</td>` +
    `<td align="${end}"${top} class="ink rule" style="${cell};color:${ink.light}${unbroken(value)}">${escaped(value)}</td></tr>`
  );
}

/** An amount or a date stays on one line. */
const LONGEST_UNBROKEN = 18;
const unbroken = (value: string): string => (value.length <= LONGEST_UNBROKEN ? ';white-space:nowrap' : '');

function link({ label, href }: Link, brand: Brand): string {
  return `<a href="${escaped(href)}" ${look('ink', brand)}">${escaped(label)}</a>`;
}

function foot({ footer, optOut, brand }: Frame): string {
  const { address } = brand;
  const stop = optOut ? `<a href="${escaped(optOut.href)}" ${look('quiet', brand)}">${escaped(optOut.label)}</a>` : '';
  return [escaped(footer), escaped(address), stop].filter((line) => line !== '').join('<br>');
}

/** A button: a cell with a background, because Outlook ignores the background and padding of links. */
function button({ label, href }: Link, brand: Brand): string {
  const { accent, onAccent } = brand.theme?.light ?? { accent: brand.accent, onAccent: '#ffffff' };
  const edge = brand.theme ? buttonEdge(brand.theme.light) : accent;
  const text = `display:inline-block;color:${onAccent};text-decoration:none;font-size:15px;font-weight:600`;
  return `<tr><td style="padding:0 36px 24px"><table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr>
<td class="button" bgcolor="${accent}" style="background:${accent};border:1px solid ${edge};border-radius:${corner(brand, 6)};padding:10px 19px"><a href="${escaped(href)}" style="${text}">${escaped(label)}</a></td>
</tr></table></td></tr>\n`;
}

/** The radius of a corner. */
function corner({ theme }: Brand, pixels: number): string {
  return theme?.corners === 'square' ? '0' : `${pixels}px`;
}

function linked(links: readonly Link[], brand: Brand): string {
  if (links.length === 0) return '';
  return `<tr><td style="padding:0 36px 28px;font-size:14px;line-height:24px">${links.map((one) => link(one, brand)).join('<br>')}</td></tr>\n`;
}

/** The text of a customized mail, with the sender and the footer of all mails. */
export function framedText({ seller, brand: { address, test }, footer, optOut }: Frame, content: string): string {
  const head = test === null ? [seller] : [test, '', seller];
  const foot = address === '' ? [footer] : [footer, address];
  const stop = optOut ? [`${optOut.label}: ${optOut.href}`] : [];
  return [...head, '', content, '', ...foot, ...stop, ''].join('\n');
}

interface Body {
  html: string;
  text: string;
}

/** Adds a note, in the document's language, that the PDF is not attached. */
export function withoutPdf({ html, text }: Body, language: string): Body {
  const { noPdfMail } = labelsOf(language);
  const said = `<p dir="${directionOf(language)}" style="text-align:center;font-family:sans-serif">${noPdfMail}</p>`;
  return { html: html.replace('</body>', `${said}</body>`), text: `${text}\n${noPdfMail}\n` };
}

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

/** A wording of a mail about an invoice, in HTML and Handlebars, as the reference shows it. */
export const exampleOfTemplate = '<p>Dear {{recipient.name}}, please pay {{invoice.balance}}.</p>';

/** The beginning of the HTML of a whole mail, as the reference shows it. */
export const exampleOfMail = '<!doctype html>…';
