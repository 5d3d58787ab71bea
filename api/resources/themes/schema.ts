import type { z } from 'zod';
import { documentTypes } from '../../../billing/documentTypes.ts';
import { themeCorners, themeFonts } from '../../../billing/theme.ts';
import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';
import { previewedObject } from '../previewedObject.ts';

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
