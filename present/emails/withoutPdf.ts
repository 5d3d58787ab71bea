import { directionOf } from '../printed/formats.ts';
import { labelsOf } from '../printed/labels.ts';

interface Body {
  html: string;
  text: string;
}

/** A mail that says, in the language of its document, that it comes without the PDF. */
export function withoutPdf({ html, text }: Body, language: string): Body {
  const { noPdfMail } = labelsOf(language);
  const said = `<p dir="${directionOf(language)}" style="text-align:center;font-family:sans-serif">${noPdfMail}</p>`;
  return { html: html.replace('</body>', `${said}</body>`), text: `${text}\n${noPdfMail}\n` };
}
