/** An element of an XML document, without its prefix and attributes. */
export interface Element {
  name: string;
  /** Empty for an element with children. */
  text: string;
  children: Element[];
}

const TOKEN = /<\?[^>]*>|<(\/?)(?:\w+:)?(\w+)(?:\s[^<>]*?)?(\/?)>|([^<]+)/g;

/** Parses XML without comments, CDATA and mixed content, as e-invoices have it. */
export function parseXml(xml: string): Element {
  const root: Element = { name: '', text: '', children: [] };
  const open = [root];
  for (const [, isEnd, name, isEmpty, text] of xml.matchAll(TOKEN)) {
    const inside = open.at(-1);
    if (!inside) throw new Error(`more ends than elements before ${name}`);
    if (isEnd) {
      if (open.pop()?.name !== name) throw new Error(`${name} ends inside ${inside.name}`);
    } else if (name) {
      const element = { name, text: '', children: [] };
      inside.children.push(element);
      if (!isEmpty) open.push(element);
    } else if (text?.trim()) inside.text += text;
  }
  const [found] = root.children;
  if (!found || open.length !== 1) throw new Error('not an XML document');
  return found;
}
