import { directionOf } from '../printed/formats.ts';
import { labelsOf } from '../printed/labels.ts';

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
