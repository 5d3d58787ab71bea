import { attributes, type Html, html, type Part } from './html.ts';

/** A form that only reads: its values are in the address of the page that it leads to. */
export function filterForm(action: string, content: Part): Html {
  return html`<form method="get" action="${action}" class="filters">
${content}
</form>`;
}

interface Named {
  name: string;
  label: Part;
  value: string;
}

/** A field for a day; empty: none. */
export function dayField({ name, label, value, problem = null }: Named & { problem?: string | null }): Html {
  const given = attributes({
    'aria-describedby': problem,
    'aria-invalid': problem === null ? null : 'true',
  });
  return html`<div class="field"><label for="${name}">${label}</label>
<input type="date" id="${name}" name="${name}" value="${value}"${given}></div>`;
}

/** A field with a list of options to choose from. */
export function selectField({ name, label, value }: Named, options: readonly { value: string; label: Part }[]): Html {
  const all = options.map((option) => {
    const given = attributes({ value: option.value, selected: option.value === value });
    return html`<option${given}>${option.label}</option>`;
  });
  return html`<div class="field"><label for="${name}">${label}</label>
<select id="${name}" name="${name}">${all}</select></div>`;
}
