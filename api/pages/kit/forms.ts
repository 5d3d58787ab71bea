import type { Labels } from '../../../words/labels/wording.ts';
import { attributes, type Html, html, type Part } from './html.ts';

/** A form that is sent to a path of this origin. `content` contains its hidden fields, fields and buttons; scripts read `data`. */
export function form(
  action: string,
  content: Part,
  look: string | null = null,
  data: Readonly<Record<`data-${string}`, string>> = {},
): Html {
  return html`<form method="post" action="${action}"${attributes({ class: look, ...data })}>
${content}
</form>`;
}

/** A form that asks for a page: its fields become the query of a path of this origin. It changes nothing. */
export function query(path: string, content: Part): Html {
  return html`<form method="get" action="${path}">
${content}
</form>`;
}

export function hidden(name: string, value: string | null): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}

interface Field {
  name: string;
  label: Part;
  value: string;
  type: 'text' | 'email' | 'password' | 'number' | 'date';
  autocomplete: string;
  maxLength: number;
  /** Explanation below the field. */
  hint: Part;
  /** Id of the alert that explains what is wrong with the value; null if nothing is. */
  problem: string | null;
  /** What is wrong with the value, if no alert above the field says so. `problem` is its id. */
  fault?: Part;
  isFocused: boolean;
  isOptional?: true;
  /** The smallest and the largest number or day. */
  min?: string;
  max?: string;
  /** Keyboard that a phone shows. */
  inputMode?: 'decimal' | 'numeric' | 'tel';
}

/** A field for one line of text. It is required unless it says otherwise. */
export function field({ name, label, value, hint, problem, fault = null, ...more }: Field): Html {
  const given = attributes({
    type: more.type,
    autocomplete: more.autocomplete,
    maxlength: more.type === 'number' || more.type === 'date' ? null : more.maxLength,
    min: more.min ?? null,
    max: more.max ?? null,
    inputmode: more.inputMode ?? null,
    required: !more.isOptional,
    autofocus: more.isFocused,
    'aria-describedby': describedBy(name, hint, problem),
    'aria-invalid': problem === null ? null : 'true',
  });
  return html`<div class="field"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" value="${value}"${given}>${faultHtml(problem, fault)}${hintHtml(name, hint)}</div>`;
}

function faultHtml(id: string | null, fault: Part): Html | null {
  return fault === null ? null : html`<p class="error" role="alert"${attributes({ id })}>${fault}</p>`;
}

/** A list from which one value is chosen. */
export function select({
  name,
  label,
  value,
  options,
  problem,
  autocomplete,
}: Pick<Field, 'name' | 'label' | 'value' | 'problem' | 'autocomplete'> & {
  options: readonly { value: string; label: string }[];
}): Html {
  const given = attributes({
    autocomplete,
    required: true,
    'aria-describedby': problem,
    'aria-invalid': problem === null ? null : 'true',
  });
  const all = options.map((option) => {
    const chosen = attributes({ value: option.value, selected: option.value === value });
    return html`<option${chosen}>${option.label}</option>`;
  });
  return html`<div class="field"><label for="${name}">${label}</label>
<select id="${name}" name="${name}"${given}>${all}</select></div>`;
}

/** A field that people do not see, so only programs fill it in. */
export function trap(name: string): Html {
  return html`<div class="trap" aria-hidden="true"><input name="${name}" tabindex="-1" autocomplete="off"></div>`;
}

/** A field for several lines of text. It is required unless it says otherwise. */
export function lines({
  name,
  label,
  value,
  hint,
  rows,
  problem = null,
  isOptional = false,
  ...more
}: Pick<Field, 'name' | 'label' | 'value' | 'hint'> &
  Partial<Pick<Field, 'problem' | 'maxLength'>> & { rows: number; isOptional?: boolean; isProse?: true }): Html {
  const given = attributes({
    rows,
    required: !isOptional,
    maxlength: more.maxLength ?? null,
    spellcheck: more.isProse ? null : 'false',
    'aria-describedby': describedBy(name, hint, problem),
    'aria-invalid': problem === null ? null : 'true',
  });
  return html`<div class="field"><label for="${name}">${label}</label>
<textarea id="${name}" name="${name}"${given}>${value}</textarea>${hintHtml(name, hint)}</div>`;
}

interface Choice {
  value: string;
  label: Part;
  hint: Part;
}

/** Radio buttons: one of several options. */
export function choices(
  name: string,
  label: Part,
  { options, chosen }: { options: readonly Choice[]; chosen: string },
): Html {
  const all = options.map(({ value, label: text, hint }) => {
    const given = attributes({ value, checked: value === chosen });
    return html`<label class="choice"><input type="radio" name="${name}"${given}> <span><strong>${text}</strong> ${hint}</span></label>`;
  });
  return html`<fieldset><legend>${label}</legend>${all}</fieldset>`;
}

/** A checkbox with its label. It sends `yes`. */
export function checked(name: string, label: Part, isChecked: boolean): Html {
  const given = attributes({ value: 'yes', checked: isChecked });
  return html`<label class="choice"><input type="checkbox" name="${name}"${given}> <span>${label}</span></label>`;
}

type ButtonLook = 'primary' | 'plain' | 'danger' | 'link';

/** A button that sends its form. `answer` is sent as a field, for forms with several buttons. */
export function button(label: Part, look: ButtonLook, answer: { name: string; value: string } | null = null): Html {
  return html`<button class="button ${look}"${attributes({ name: answer?.name ?? null, value: answer?.value ?? null })}>${label}</button>`;
}

/** A link that looks like a button: the page's main one, unless it says otherwise. */
export function linkButton(label: Part, href: string, look: 'plain' | null = null): Html {
  return html`<a class="${look ? `button ${look}` : 'button'}" href="${href}">${label}</a>`;
}

/** A button that asks for confirmation before it shows the form to send. It needs no script. */
export function confirmed(label: Part, warning: Part, sending: Html): Html {
  return html`<details class="confirmed"><summary class="button plain">${label}</summary><p>${warning}</p>${sending}</details>`;
}

function hintHtml(name: string, hint: Part): Html | null {
  return hint === null ? null : html`<p class="hint" id="${name}-hint">${hint}</p>`;
}

function describedBy(name: string, hint: Part, problem: string | null): string | null {
  const ids = [...(problem === null ? [] : [problem]), ...(hint === null ? [] : [`${name}-hint`])];
  return ids.length > 0 ? ids.join(' ') : null;
}

/** The field for the initials of a customer who signs. `problem`: id of the alert that explains what is wrong with them; null: nothing. */
export function initialsField(labels: Labels, { value, problem }: { value: string; problem: string | null }): Html {
  return field({
    name: 'initials',
    label: labels.initials,
    value,
    type: 'text',
    autocomplete: 'off',
    maxLength: 10,
    hint: labels.recorded,
    problem,
    isFocused: false,
  });
}
