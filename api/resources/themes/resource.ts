import type { z } from 'zod';
import { documentTypes } from '../../../billing/documents/document.ts';
import { themeCorners, themeFonts } from '../../../billing/look/theme.ts';
import { accountAccent } from '../../../db/queries/catalog/themes.ts';
import { Theme } from '../../../db/schema/theme.ts';
import { presentTheme } from '../../../present/catalog/templates.ts';
import { exampleOfMail } from '../../../present/emails/html.ts';
import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';
import { column, type Resource, sorted, updatedBetween } from '../../framework/resource.ts';
import * as shown from '../../framework/shape.ts';
import { relation } from '../../reading/expand.ts';
import { previewedObject } from '../emailTemplates/fields.ts';
import { files } from '../files.ts';

const colour = (description: string, example: string) => shown.nullable(shown.text(description, example));

const warning = shown.value('ThemeWarning', 'Colour of a theme that cannot be read well', {
  param: shown.text('Field with the colour', 'text_color'),
  message: shown.text('Contrast of the colour, and what happens', 'The contrast with its background is 2.13 to 1'),
});

const warnings = shown.listOf(warning, 'Colours with a contrast of less than 4.5 to 1; such a theme is accepted');

const theme = shown.shape('Theme', 'Look of papers, pages and mails', {
  id: shown.id('Id of the theme'),
  name: shown.text('Name of the theme, for your own use', 'Brand of 2027'),
  default: shown.flag('Whether customers without a theme of their own have it; at most one theme is the default', true),
  accent_color: colour('Colour of titles, links and buttons; null: that of the account', '#1d4ed8'),
  text_color: colour('Colour of text; null: nearly black', '#16202c'),
  background_color: colour('Colour behind text, also of paper; null: white', '#ffffff'),
  dark_accent_color: colour(
    'Accent of pages and mails for readers whose system is dark; null: `accent_color`, lightened as far as necessary',
    '#8fb0ff',
  ),
  dark_text_color: colour('Text of pages and mails for these readers; null: nearly white', '#e8ecf1'),
  dark_background_color: colour('Background of pages and mails for these readers; null: nearly black', '#181d24'),
  logo: shown.unset(shown.id('Id of the uploaded file with the logo; null: the logo of the account', 7)),
  font: shown.oneOf(
    'Typeface of papers; pages and mails use the typefaces of the reader, because they load no files',
    'inter',
    themeFonts,
  ),
  corners: shown.oneOf('Corners of boxes and buttons', 'round', themeCorners),
  footer: shown.unset(
    shown.text(
      'Text at the foot of papers and pages; null: the footer of the account',
      'Managing director: Ada Lovelace',
    ),
  ),
  warnings,
  created_at: shown.createdAt,
  updated_at: shown.updatedAt,
});

export const themePreview = shown.value('ThemePreview', 'Page and mail of a document with the look of a theme', {
  page: shown.text(
    'HTML of the page of the document. Its Content-Security-Policy is in its head: it loads, runs and sends nothing',
    exampleOfMail,
  ),
  mail: shown.text('HTML of the mail with the document, with the same restrictions', exampleOfMail),
  warnings,
});

const readOnly = ['object', 'warnings', 'created_at', 'updated_at'];
const colours = {
  accent_color: fields.colour,
  text_color: fields.colour,
  background_color: fields.colour,
  dark_accent_color: fields.colour,
  dark_text_color: fields.colour,
  dark_background_color: fields.colour,
};
const font = fields.choice(...themeFonts);
const corners = fields.choice(...themeCorners);
const LONGEST_FOOTER = 500;
const looks = { ...colours, logo: fields.id, footer: fields.text(LONGEST_FOOTER) };

export const newTheme = object(
  {
    name: fields.required(fields.name),
    default: fields.withDefault(fields.boolean, false),
    ...looks,
    font: fields.withDefault(font, 'inter'),
    corners: fields.withDefault(corners, 'round'),
  },
  { readOnly },
);

const changes = {
  name: fields.kept(fields.name),
  default: fields.resettable(fields.boolean, false),
  ...looks,
  font: fields.resettable(font, 'inter'),
  corners: fields.resettable(corners, 'round'),
};

export const themeChange = object(changes, { readOnly: ['id', ...readOnly] });

export const themePreviewing = object(
  { ...changes, object: previewedObject(documentTypes) },
  { readOnly: ['id', ...readOnly.filter((name) => name !== 'object')] },
);

/** The fields of a change; absent ones are undefined. */
export function fieldsOf(body: z.output<typeof themeChange>) {
  const { name, font, corners, footer, default: isDefault } = body;
  return {
    name,
    isDefault,
    font,
    corners,
    footer,
    accentColor: body.accent_color,
    textColor: body.text_color,
    backgroundColor: body.background_color,
    darkAccentColor: body.dark_accent_color,
    darkTextColor: body.dark_text_color,
    darkBackgroundColor: body.dark_background_color,
  };
}

export const themes: Resource<Theme, 'id'> = {
  name: 'Theme',
  area: 'settings',
  shape: theme,
  row: Theme,
  idColumn: 'id',
  columns: {
    id: column('id', fields.id),
    name: column('name', fields.text()),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: updatedBetween,
  present: async (reading, rows) => {
    const accent = await accountAccent(reading);
    return rows.map((row) => presentTheme(row, accent));
  },
  relations: {
    logo: relation(
      () => files,
      (row) => row.logoFileId ?? null,
    ),
  },
};
