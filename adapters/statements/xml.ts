import { SaxesParser } from 'saxes';
import { Refusal } from '../../billing/refusal.ts';

/** An element without its namespace. */
export interface XmlElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  text: string;
  children: XmlElement[];
}

/** Maximum depth of elements, number of elements of one that is read, and characters of a text. */
const [DEEPEST, MOST_ELEMENTS, MOST_CHARACTERS] = [60, 20_000, 100_000];

/** Characters that are parsed at a time. */
const PART = 65_536;

/**
 * Reads a document and calls `onElement` with each element of this name, and `onRoot` with the names of the two outer elements. Entities of a
 * document type are never read. Throws a Refusal for text that is no XML, has a document type, or exceeds a bound.
 */
export function readElements(
  text: string,
  wanted: { name: string; onRoot(names: readonly string[]): void; onElement(element: XmlElement): void },
): void {
  const parser = new SaxesParser();
  const path: string[] = [];
  let open: XmlElement[] = [];
  let count = 0;
  parser.on('error', ({ message }) => refuse(`it is no XML: ${message.slice(0, 200)}`));
  parser.on('doctype', () => refuse('it has a document type (DOCTYPE)'));
  parser.on('opentag', (tag) => {
    const name = localName(tag.name);
    path.push(name);
    if (path.length > DEEPEST) refuse(`its elements are nested more than ${DEEPEST} deep`);
    if (path.length === 2) wanted.onRoot(path);
    if (open.length === 0 && name !== wanted.name) return;
    count = open.length === 0 ? 1 : count + 1;
    if (count > MOST_ELEMENTS) refuse(`an element ${wanted.name} has more than ${MOST_ELEMENTS} parts`);
    const element: XmlElement = { name, attributes: tag.attributes, text: '', children: [] };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  const onText = (more: string) => {
    const element = open.at(-1);
    if (!element) return;
    element.text += more;
    if (element.text.length > MOST_CHARACTERS) refuse(`a text has more than ${MOST_CHARACTERS} characters`);
  };
  parser.on('text', onText);
  parser.on('cdata', onText);
  parser.on('closetag', () => {
    path.pop();
    const closed = open.at(-1);
    open = open.slice(0, -1);
    if (closed && open.length === 0) wanted.onElement(closed);
  });
  for (let at = 0; at < text.length; at += PART) parser.write(text.slice(at, at + PART));
  parser.close();
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function refuse(reason: string): never {
  throw new Refusal('parameter_invalid', `The statement cannot be read: ${reason}`, 'csv');
}
