import type { PaperKind, PdfTemplateFields } from '../../billing/look/pdfTemplate.ts';
import { contrastWarnings, lookOf } from '../../billing/look/theme.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { SmsTemplate } from '../../db/schema/templates.ts';
import type { Theme } from '../../db/schema/theme.ts';
import { orNull, type Presented, unix } from '../kernel/values.ts';

export function presentPdfTemplate(
  template: PdfTemplateFields & { code: string; name: string | null; kind: PaperKind; updatedAt: Date | null },
): Presented {
  return {
    id: template.code,
    object: 'pdf_template',
    name: template.name,
    kind: template.kind,
    layout: template.layout,
    paper: template.paper,
    columns: [...template.columns],
    blocks: [...template.blocks],
    updated_at: template.updatedAt && unix(template.updatedAt),
  };
}

export function presentSmsTemplate(template: Plain<SmsTemplate>): Presented {
  return {
    id: template.id,
    object: 'sms_template',
    name: template.name,
    message: template.message,
    language: orNull(template.language),
    created_at: unix(template.createdAt),
    updated_at: unix(template.updatedAt),
  };
}

/** `accountAccent`: shown where the theme has no accent of its own. */
export function presentTheme(theme: Plain<Theme>, accountAccent: string | null): Presented {
  return {
    id: theme.id,
    object: 'theme',
    name: theme.name,
    default: theme.isDefault,
    accent_color: orNull(theme.accentColor),
    text_color: orNull(theme.textColor),
    background_color: orNull(theme.backgroundColor),
    dark_accent_color: orNull(theme.darkAccentColor),
    dark_text_color: orNull(theme.darkTextColor),
    dark_background_color: orNull(theme.darkBackgroundColor),
    logo: orNull(theme.logoFileId),
    font: theme.font,
    corners: theme.corners,
    footer: orNull(theme.footer),
    warnings: contrastWarnings(lookOf(theme), accountAccent).map(({ colour, ratio }) => ({
      param: params[colour],
      message: `The contrast with its background is ${ratio} to 1, and text needs 4.5 to 1: text is shown in a colour that can be read`,
    })),
    created_at: unix(theme.createdAt),
    updated_at: unix(theme.updatedAt),
  };
}

const params = {
  accentColor: 'accent_color',
  textColor: 'text_color',
  backgroundColor: 'background_color',
  darkAccentColor: 'dark_accent_color',
  darkTextColor: 'dark_text_color',
  darkBackgroundColor: 'dark_background_color',
} as const;
