import { themeCorners, themeFonts } from '../../../billing/theme.ts';
import { exampleOfMail } from '../../../present/emails/templateExamples.ts';
import * as fields from '../../framework/shape.ts';

const colour = (description: string, example: string) => fields.nullable(fields.text(description, example));

const warning = fields.value('ThemeWarning', 'Colour of a theme that cannot be read well', {
  param: fields.text('Field with the colour', 'text_color'),
  message: fields.text('Contrast of the colour, and what happens', 'The contrast with its background is 2.13 to 1'),
});

const warnings = fields.listOf(warning, 'Colours with a contrast of less than 4.5 to 1; such a theme is accepted');

export const theme = fields.shape('Theme', 'Look of papers, pages and mails', {
  id: fields.id('Id of the theme'),
  name: fields.text('Name of the theme, for your own use', 'Brand of 2027'),
  default: fields.flag(
    'Whether customers without a theme of their own have it; at most one theme is the default',
    true,
  ),
  accent_color: colour('Colour of titles, links and buttons; null: that of the account', '#1d4ed8'),
  text_color: colour('Colour of text; null: nearly black', '#16202c'),
  background_color: colour('Colour behind text, also of paper; null: white', '#ffffff'),
  dark_accent_color: colour(
    'Accent of pages and mails for readers whose system is dark; null: `accent_color`, lightened as far as necessary',
    '#8fb0ff',
  ),
  dark_text_color: colour('Text of pages and mails for these readers; null: nearly white', '#e8ecf1'),
  dark_background_color: colour('Background of pages and mails for these readers; null: nearly black', '#181d24'),
  logo: fields.unset(fields.id('Id of the uploaded file with the logo; null: the logo of the account', 7)),
  font: fields.oneOf(
    'Typeface of papers; pages and mails use the typefaces of the reader, because they load no files',
    'inter',
    themeFonts,
  ),
  corners: fields.oneOf('Corners of boxes and buttons', 'round', themeCorners),
  footer: fields.unset(
    fields.text(
      'Text at the foot of papers and pages; null: the footer of the account',
      'Managing director: Ada Lovelace',
    ),
  ),
  warnings,
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
});

export const themePreview = fields.value('ThemePreview', 'Page and mail of a document with the look of a theme', {
  page: fields.text(
    'HTML of the page of the document. Its Content-Security-Policy is in its head: it loads, runs and sends nothing',
    exampleOfMail,
  ),
  mail: fields.text('HTML of the mail with the document, with the same restrictions', exampleOfMail),
  warnings,
});
