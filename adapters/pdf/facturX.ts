/** The namespace of Factur-X in XMP metadata. */
const NAMESPACE = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#';

/** The metadata of the attached file. */
const PROPERTIES = [
  { name: 'DocumentFileName', description: 'Name of the embedded XML invoice file', value: 'factur-x.xml' },
  { name: 'DocumentType', description: 'Type of the hybrid document', value: 'INVOICE' },
  { name: 'Version', description: 'Version of the XML schema of the invoice', value: '1.0' },
  { name: 'ConformanceLevel', description: 'Profile of the XML invoice', value: 'EN 16931' },
] as const;

/** PDF/A wants each property to be described that it does not know. */
const DESCRIBED = [
  '<rdf:li rdf:parseType="Resource"><pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>',
  `<pdfaSchema:namespaceURI>${NAMESPACE}</pdfaSchema:namespaceURI><pdfaSchema:prefix>fx</pdfaSchema:prefix>`,
  '<pdfaSchema:property><rdf:Seq>',
  ...PROPERTIES.map(
    ({ name, description }) =>
      `<rdf:li rdf:parseType="Resource"><pdfaProperty:name>${name}</pdfaProperty:name><pdfaProperty:valueType>Text</pdfaProperty:valueType>` +
      `<pdfaProperty:category>external</pdfaProperty:category><pdfaProperty:description>${description}</pdfaProperty:description></rdf:li>`,
  ),
  '</rdf:Seq></pdfaSchema:property></rdf:li>',
].join('');

const SAID = [
  `<rdf:Description rdf:about="" xmlns:fx="${NAMESPACE}">`,
  ...PROPERTIES.map(({ name, value }) => `<fx:${name}>${value}</fx:${name}>`),
  '</rdf:Description>',
].join('');

/** Bytes of an entry of a cross-reference table. */
const ENTRY = 20;

/**
 * Adds the metadata of Factur-X to a PDF/A-3 of Typst, which cannot write them. The PDF gets an incremental update (ISO 32000-1, 7.5.6) that
 * replaces its XMP metadata. Throws for a PDF of another form.
 */
export function withFacturX(pdf: Buffer): Buffer {
  // Latin 1 keeps each byte as one character.
  const text = pdf.toString('latin1');
  const table = Number(found(/startxref\s+(\d+)\s+%%EOF\s*$/, text.slice(-64)));
  const trailer = found(/trailer\s*<<([\s\S]*)>>\s*startxref/, text.slice(table));
  const root = objectAt(text, { table, number: Number(found(/\/Root (\d+) 0 R/, trailer)) });
  const number = Number(found(/\/Metadata (\d+) 0 R/, root));
  const metadata = objectAt(text, { table, number });
  const xmp = extended(streamIn(metadata));
  const object = `${number} 0 obj\n<<\n  /Length ${xmp.length}\n  /Type /Metadata\n  /Subtype /XML\n>>\nstream\n${xmp}\nendstream\nendobj\n`;
  const newTable = text.length + 1 + object.length;
  const entry = `${String(text.length + 1).padStart(10, '0')} 00000 n \n`;
  const end = `xref\n${number} 1\n${entry}trailer\n<<${trailer}  /Prev ${table}\n>>\nstartxref\n${newTable}\n%%EOF`;
  return Buffer.concat([pdf, Buffer.from(`\n${object}${end}`, 'latin1')]);
}

/** The PDF from the object with a number. `table`: offset of the cross-reference table, which begins with object 0. */
function objectAt(text: string, { table, number }: { table: number; number: number }): string {
  const head = found(/^(xref\s+0 \d+\r?\n)/, text.slice(table, table + 32));
  const entry = table + head.length + number * ENTRY;
  const start = Number(text.slice(entry, entry + 10));
  const object = text.slice(start);
  if (!object.startsWith(`${number} 0 obj`)) throw new Error(`Factur-X: no object ${number}`);
  return object;
}

/** The content of a stream. Its length is from its dictionary: texts of tenants in it may look like its end. */
function streamIn(object: string): string {
  const head = found(/^([\s\S]*?stream\r?\n)/, object);
  return object.slice(head.length, head.length + Number(found(/\/Length (\d+)/, head)));
}

/** XMP with the metadata of Factur-X. Texts of tenants are escaped in it, so they contain no element. */
function extended(xmp: string): string {
  const [schemas, end] = ['</rdf:Bag></pdfaExtension:schemas>', '</rdf:RDF>'];
  if (!xmp.includes(schemas) || !xmp.includes(end)) throw new Error('Factur-X: unknown form of XMP');
  return xmp.replace(schemas, DESCRIBED + schemas).replace(end, SAID + end);
}

function found(pattern: RegExp, text: string): string {
  const [, part] = pattern.exec(text) ?? [];
  if (part === undefined) throw new Error(`Factur-X: unknown form of PDF: ${pattern.source}`);
  return part;
}
