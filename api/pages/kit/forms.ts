import { attributes, type Html, html, type Part } from './html.ts';

/** A form, sent to a path of this origin. `content` has its hidden fields, fields and buttons. */
export function form(action: string, content: Part, look: string | null = null): Html {
  return html`<form method="post" action="${action}"${attributes({ class: look })}>
${content}
</form>`;
}

export function hidden(name: string, value: string | null): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}

export interface Field {
  name: string;
  label: Part;
  value: string;
  type: 'text' | 'email' | 'password';
  autocomplete: string;
  maxLength: number;
  /** Below the field. */
  hint: Part;
  /** Id of the alert that says what is wrong with its value; null: nothing is. */
  problem: string | null;
  isFocused: boolean;
}

/** A line of text that has to be filled in. */
export function field({ name, label, value, hint, problem, ...more }: Field): Html {
  const given = attributes({
    type: more.type,
    autocomplete: more.autocomplete,
    maxlength: more.maxLength,
    required: true,
    autofocus: more.isFocused,
    'aria-describedby': describedBy(name, hint, problem),
    'aria-invalid': problem === null ? null : 'true',
  });
  return html`<div class="field"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" value="${value}"${given}>${hintHtml(name, hint)}</div>`;
}

/** Lines of text that have to be filled in. */
export function lines({
  name,
  label,
  value,
  hint,
  rows,
}: Pick<Field, 'name' | 'label' | 'value' | 'hint'> & { rows: number }): Html {
  const given = attributes({
    rows,
    required: true,
    spellcheck: 'false',
    'aria-describedby': describedBy(name, hint, null),
  });
  return html`<div class="field"><label for="${name}">${label}</label>
<textarea id="${name}" name="${name}"${given}>${value}</textarea>${hintHtml(name, hint)}</div>`;
}

export interface Choice {
  value: string;
  label: Part;
  hint: Part;
}

/** One of several answers. */
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

export type ButtonLook = 'primary' | 'plain' | 'danger' | 'link';

/** Sends the form around it. `answer` is sent along, for forms with several buttons. */
export function button(label: Part, look: ButtonLook, answer: { name: string; value: string } | null = null): Html {
  return html`<button class="button ${look}"${attributes({ name: answer?.name ?? null, value: answer?.value ?? null })}>${label}</button>`;
}

/** A link that looks like the page's main button. */
export function linkButton(label: Part, href: string): Html {
  return html`<a class="button" href="${href}">${label}</a>`;
}

/** A button that asks once more before it sends its form, without a script. */
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
