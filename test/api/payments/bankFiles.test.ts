import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Answer, type Client, startApi, type TestApi } from '../../support/api.ts';
import { upload } from '../../support/upload.ts';

// Files as banks export them. Beside each are the receipts that a bookkeeper expects, as `day amount currency text`.

let api: TestApi;
let client: Client;
let businesses = 0;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

type Bytes = 'utf8' | 'windows-1252' | 'utf-16le' | 'utf-16be' | 'utf-16le without a mark' | 'utf-8 with a mark';

/** The characters of Windows-1252 that these files use outside Latin-1. */
const euro = (text: string) => Buffer.from(text.replaceAll('€', '\u0080'), 'latin1');

const encoded: Readonly<Record<Bytes, (text: string) => Buffer>> = {
  utf8: (text) => Buffer.from(text),
  'utf-8 with a mark': (text) => Buffer.from(`\ufeff${text}`),
  'windows-1252': euro,
  'utf-16le': (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'utf-16le without a mark': (text) => Buffer.from(text, 'utf16le'),
  'utf-16be': (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
};

interface BankFile {
  name: string;
  text: string;
  bytes?: Bytes;
  fields?: Readonly<Record<string, string>>;
  receipts: readonly string[];
  /** Rows that are no receipts, as `row reason` or `row param`. */
  others?: readonly string[];
}

const lines = (...all: string[]) => all.join('\r\n');
const german = { date_format: 'DD.MM.YYYY', decimal_separator: ',' };

/** `date=Buchungstag` becomes `mapping[date]=Buchungstag`. */
const mapped = (columns: Record<string, string>, more: Record<string, string> = {}) => ({
  ...Object.fromEntries(Object.entries(columns).map(([name, column]) => [`mapping[${name}]`, column])),
  ...more,
});

const camt = (version: string, ...entries: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}"><BkToCstmrStmt><GrpHdr><MsgId>1</MsgId>
<CreDtTm>2027-03-02T06:00:00+01:00</CreDtTm></GrpHdr><Stmt><Id>1</Id><Acct><Id><IBAN>DE02120300000000202051</IBAN></Id>
<Ccy>EUR</Ccy></Acct><Bal><Tp><CdOrPrtry><Cd>PRCD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">999.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>
<Dt><Dt>2027-03-01</Dt></Dt></Bal>${entries.join('\n')}</Stmt></BkToCstmrStmt></Document>`;

const v2 = ({ amount = '119.00', direction = 'CRDT', status = 'BOOK', details = '' } = {}) =>
  `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd><Sts>${status}</Sts><BookgDt><Dt>2027-03-01</Dt></BookgDt>
<ValDt><Dt>2027-03-02</Dt></ValDt><BkTxCd/><NtryDtls>${details}</NtryDtls></Ntry>`;

const paidBy = (text: string, amount = '') =>
  `<TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs>${amount}<RltdPties><Dbtr><Nm>Muster &amp; Söhne</Nm></Dbtr>
<DbtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></DbtrAcct></RltdPties><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls>`;

const part = (amount: string) => `<AmtDtls><TxAmt><Amt Ccy="EUR">${amount}</Amt></TxAmt></AmtDtls>`;

const sparkasse = {
  fields: mapped(
    {
      date: 'Buchungstag',
      amount: 'Betrag',
      reference: 'Verwendungszweck',
      payer: 'Beguenstigter/Zahlungspflichtiger',
      sender: 'Kontonummer/IBAN',
      currency: 'Waehrung',
    },
    { date_format: 'DD.MM.YY', decimal_separator: ',' },
  ),
  text: lines(
    '"Auftragskonto";"Buchungstag";"Valutadatum";"Buchungstext";"Verwendungszweck";"Glaeubiger ID";"Mandatsreferenz";"Kundenreferenz (End-to-End)";"Sammlerreferenz";"Lastschrift Ursprungsbetrag";"Auslagenersatz Ruecklastschrift";"Beguenstigter/Zahlungspflichtiger";"Kontonummer/IBAN";"BIC (SWIFT-Code)";"Betrag";"Waehrung";"Info"',
    '"DE02120300000000202051";"01.03.27";"01.03.27";"GUTSCHR. UEBERWEISUNG";"Rechnung für März";"";"";"";"";"";"";"Öl & Söhne GmbH";"DE89370400440532013000";"COBADEFFXXX";"1.190,00";"EUR";"Umsatz gebucht"',
    '"DE02120300000000202051";"02.03.27";"02.03.27";"FOLGELASTSCHRIFT";"Strom";"DE98";"M1";"";"";"";"";"Stadtwerke";"DE11";"X";"-89,50";"EUR";"Umsatz gebucht"',
  ),
  receipts: ['2027-03-01 1190 eur Rechnung für März'],
  others: ['3 debit'],
};

const rabobank = mapped(
  { date: 'Datum', amount: 'Bedrag', currency: 'Munt', payer: 'Naam tegenpartij', reference: 'Omschrijving-1' },
  { decimal_separator: ',' },
);

const simple = (columns: Record<string, string> = {}, more: Record<string, string> = {}) =>
  mapped({ date: 'Date', amount: 'Amount', reference: 'Text', ...columns }, more);

const files: readonly BankFile[] = [
  { name: 'Sparkasse, CSV-CAMT in Windows-1252', bytes: 'windows-1252', ...sparkasse },
  { name: 'Sparkasse, CSV-CAMT in UTF-8 with a mark', bytes: 'utf-8 with a mark', ...sparkasse },
  { name: 'Excel, text in UTF-16', bytes: 'utf-16le', ...sparkasse, text: sparkasse.text.replaceAll('";"', '"\t"') },
  { name: 'UTF-16 of the other order', bytes: 'utf-16be', ...sparkasse },
  { name: 'UTF-16 without a mark', bytes: 'utf-16le without a mark', ...sparkasse },
  {
    name: 'DKB, four lines before the header',
    bytes: 'utf8',
    fields: mapped(
      { date: 'Buchungsdatum', amount: 'Betrag (€)', payer: 'Zahlungspflichtige*r', reference: 'Verwendungszweck' },
      { date_format: 'DD.MM.YY', decimal_separator: ',', skip_rows: '4' },
    ),
    text: [
      '"Girokonto";"DE02120300000000202051"',
      '"Zeitraum:";"01.03.2027 - 31.03.2027"',
      '"Kontostand vom 31.03.2027:";"1.234,56 €"',
      '""',
      '"Buchungsdatum";"Wertstellung";"Status";"Zahlungspflichtige*r";"Zahlungsempfänger*in";"Verwendungszweck";"Umsatztyp";"IBAN";"Betrag (€)";"Gläubiger-ID";"Mandatsreferenz";"Kundenreferenz"',
      '"05.03.27";"05.03.27";"Gebucht";"Muster AG";"Wir";"RE 7";"Eingang";"DE89370400440532013000";"110,7";"";"";""',
      '"06.03.27";"06.03.27";"Gebucht";"Wir";"Vermieter";"Miete";"Ausgang";"DE11";"-850";"";"";""',
    ].join('\n'),
    receipts: ['2027-03-05 110.7 usd RE 7'],
    others: ['7 debit'],
  },
  {
    name: 'ING in the Netherlands, Af and Bij',
    fields: mapped(
      {
        date: 'Datum',
        payer: 'Naam / Omschrijving',
        direction: 'Af Bij',
        amount: 'Bedrag (EUR)',
        reference: 'Mededelingen',
      },
      { date_format: 'YYYYMMDD', decimal_separator: ',' },
    ),
    text: [
      '"Datum";"Naam / Omschrijving";"Rekening";"Tegenrekening";"Code";"Af Bij";"Bedrag (EUR)";"Mutatiesoort";"Mededelingen"',
      '"20270224";"Huisbaas";"NL20INGB0001234567";"NL02ABNA0123456789";"OV";"Af";"50,00";"Overschrijving";"huur"',
      '"20270225";"J Janssen";"NL20INGB0001234567";"NL44RABO0123456789";"OV";"Bij";"1250,00";"Overschrijving";"Factuur 12"',
    ].join('\n'),
    receipts: ['2027-02-25 1250 usd Factuur 12'],
    others: ['2 debit'],
  },
  {
    name: 'Rabobank, signs before amounts',
    fields: rabobank,
    bytes: 'windows-1252',
    text: lines(
      '"IBAN/BBAN","Munt","BIC","Volgnr","Datum","Rentedatum","Bedrag","Saldo na trn","Tegenrekening IBAN/BBAN","Naam tegenpartij","Naam uiteindelijke partij","Naam initiërende partij","BIC tegenpartij","Code","Omschrijving-1"',
      '"NL44RABO0123456789","EUR","RABONL2U","000000000000007213","2027-03-01","2027-03-01","+484,00","+12484,00","NL20INGB0001234567","Café Noël","","","INGBNL2A","cb","Factuur 2027-12"',
      '"NL44RABO0123456789","EUR","RABONL2U","000000000000007214","2027-03-01","2027-03-01","-15,00","+12469,00","","","","","","bc","Pinbetaling"',
    ),
    receipts: ['2027-03-01 484 eur Factuur 2027-12'],
    others: ['3 debit'],
  },
  {
    name: 'Rabobank before 2016, D and C',
    fields: mapped(
      { date: 'RENTEDATUM', direction: 'BY_AF_CODE', amount: 'BEDRAG', currency: 'MUNTSOORT', reference: 'OMSCHR1' },
      { date_format: 'YYYYMMDD', decimal_separator: '.' },
    ),
    text: lines(
      '"MUNTSOORT","RENTEDATUM","BY_AF_CODE","BEDRAG","OMSCHR1"',
      '"EUR","20270301","C","40.25","Factuur 3"',
      '"EUR","20270301","D","12.00","Kosten"',
    ),
    receipts: ['2027-03-01 40.25 eur Factuur 3'],
    others: ['3 debit'],
  },
  {
    name: 'a bank in the United Kingdom, CR and DR',
    fields: mapped(
      { date: 'Date', direction: 'Type', amount: 'Value', reference: 'Description' },
      { date_format: 'DD/MM/YYYY' },
    ),
    text: lines(
      'Date,Type,Description,Value,Balance',
      '01/03/2027,CR,INV 12,"£1,250.00","£3,000.00"',
      '02/03/2027,DR,RENT,£850.00,"£2,150.00"',
    ),
    receipts: ['2027-03-01 1250 gbp INV 12'],
    others: ['3 debit'],
  },
  {
    name: 'NatWest, months as words',
    fields: mapped({ date: 'Date', amount: 'Value', reference: 'Description' }, { date_format: 'DD MMM YYYY' }),
    text: lines('Date,Type,Description,Value,Balance', '03 Mar 2027,BAC,INV 13,99.50,1.00', '04 March 2027,POS,TEA,-3.20,1.00'),
    receipts: ['2027-03-03 99.5 usd INV 13'],
    others: ['3 debit'],
  },
  {
    name: 'Lloyds, columns for debits and credits',
    fields: mapped(
      { date: 'Transaction Date', debit: 'Debit Amount', amount: 'Credit Amount', reference: 'Transaction Description' },
      { date_format: 'DD/MM/YYYY' },
    ),
    text: lines(
      'Transaction Date,Transaction Type,Transaction Description,Debit Amount,Credit Amount,Balance',
      '03/03/2027,FPI,ACME LTD,,450.00,1000.00',
      '04/03/2027,DD,BT GROUP,35.99,,964.01',
    ),
    receipts: ['2027-03-03 450 usd ACME LTD'],
    others: ['3 debit'],
  },
  {
    name: 'Danish and Lithuanian D and K',
    fields: simple({ direction: 'D/K' }, { decimal_separator: ',' }),
    text: 'Date;Amount;D/K;Text\n2027-03-01;12,50;K;a\n2027-03-02;9,00;D;b\n',
    receipts: ['2027-03-01 12.5 usd a'],
    others: ['3 debit'],
  },
  {
    name: 'Soll and Haben',
    fields: simple({ direction: 'S/H' }, german),
    text: 'Date;Amount;S/H;Text\n01.03.2027;12,50;H;a\n02.03.2027;9,00;S;b\n02.03.2027;9,00;?;c\n',
    receipts: ['2027-03-01 12.5 usd a'],
    others: ['3 debit', '4 direction'],
  },
  {
    name: 'Volksbank, letters behind amounts',
    fields: simple({}, german),
    text: 'Date;Amount;Text\n01.03.2027;1.012,50 H;a\n02.03.2027;9,00 S;b\n',
    receipts: ['2027-03-01 1012.5 usd a'],
    others: ['3 debit'],
  },
  {
    name: 'signs of currencies without a decimal separator',
    fields: simple(),
    text: 'Date;Amount;Text\n2027-03-01;110,70 €;a\n2027-03-01;€ 1.110,70;b\n2027-03-01;$5.00;c\n2027-03-01;-7,00 €;d\n2027-03-01;£2;e\n',
    receipts: ['2027-03-01 110.7 eur a', '2027-03-01 1110.7 eur b', '2027-03-01 5 usd c', '2027-03-01 2 gbp e'],
    others: ['5 debit'],
  },
  {
    name: 'signs of currencies in Windows-1252',
    fields: simple(),
    bytes: 'windows-1252',
    text: 'Date;Amount;Text\n2027-03-01;110,70 €;für\n',
    receipts: ['2027-03-01 110.7 eur für'],
  },
  {
    name: 'codes and words of currencies',
    fields: simple({}, { decimal_separator: ',' }),
    text: 'Date;Amount;Text\n2027-03-01;110,70 EUR;a\n2027-03-01;CHF 20,00;b\n2027-03-01;300,00 zł;c\n2027-03-01;5,00 Blumen;d\n',
    receipts: ['2027-03-01 110.7 eur a', '2027-03-01 20 chf b', '2027-03-01 300 pln c'],
    others: ['5 amount'],
  },
  {
    name: 'a sign against the column of currencies',
    fields: simple({ currency: 'Currency' }),
    text: 'Date,Amount,Text,Currency\n2027-03-01,€5.00,a,USD\n2027-03-01,€5.00,b,EUR\n',
    receipts: ['2027-03-01 5 eur b'],
    others: ['2 amount'],
  },
  {
    name: 'three decimals',
    fields: simple({ currency: 'Currency' }, { decimal_separator: '.' }),
    text: 'Date,Amount,Text,Currency\n2027-03-01,3.000,a,USD\n2027-03-01,3.125,b,EUR\n2027-03-01,3.125,c,KWD\n2027-03-01,3.00,d,EUR\n',
    receipts: ['2027-03-01 3.125 kwd c', '2027-03-01 3 eur d'],
    others: ['2 amount', '3 amount'],
  },
  {
    name: 'thousands or decimals: nobody knows',
    fields: simple(),
    text: 'Date;Amount;Text\n2026-02-24;3.000;x\n2026-02-24;3,000;x\n2026-02-24;3.000,00;y\n2026-02-24;1.234.567;z\n',
    receipts: ['2026-02-24 3000 usd y', '2026-02-24 1234567 usd z'],
    others: ['2 amount', '3 amount'],
  },
  {
    name: 'thousands where the separator is set',
    fields: simple({}, { decimal_separator: ',' }),
    text: 'Date;Amount;Text\n2026-02-24;3.000;x\n',
    receipts: ['2026-02-24 3000 usd x'],
  },
  {
    name: 'Switzerland, apostrophes',
    fields: simple({}, { date_format: 'DD.MM.YYYY' }),
    text: "Date;Amount;Text\n01.03.2027;CHF 1'250.50;a\n01.03.2027;1’000.00;b\n",
    receipts: ['2027-03-01 1250.5 chf a', '2027-03-01 1000 usd b'],
  },
  {
    name: 'France, narrow blanks',
    fields: simple({}, { date_format: 'DD/MM/YYYY', decimal_separator: ',' }),
    text: 'Date;Amount;Text\n01/03/2027;1\u202f250,50 €;Réf\n01/03/2027;-3,00 €;b\n',
    receipts: ['2027-03-01 1250.5 eur Réf'],
    others: ['3 debit'],
  },
  {
    name: 'signs behind amounts, and parentheses',
    fields: simple({}, german),
    text: 'Date;Amount;Text\n01.03.2027;12,00+;a\n01.03.2027;12,00-;b\n01.03.2027;(12,00);c\n01.03.2027;\u221212,00;d\n01.03.2027;12,00;e\n',
    receipts: ['2027-03-01 12 usd e'],
    others: ['2 amount', '3 debit', '4 debit', '5 debit'],
  },
  {
    name: 'times of day behind days',
    fields: simple(),
    text: 'Date,Amount,Text\n2027-03-01T23:59:59Z,1.00,a\n2027-03-02 08:15,2.00,b\n2027-03-03T10:00:00.123+02:00,3.00,c\n2027-03-04 25h,4.00,d\n',
    receipts: ['2027-03-01 1 usd a', '2027-03-02 2 usd b', '2027-03-03 3 usd c'],
    others: ['5 date'],
  },
  {
    name: 'Revolut and Wise, times and currencies',
    fields: mapped({ date: 'Completed Date', amount: 'Amount', currency: 'Currency', reference: 'Description' }),
    text: lines(
      'Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance',
      'TOPUP,Current,2027-03-01 09:00:00,2027-03-01 09:00:01,From Ann,100.00,0.00,GBP,COMPLETED,100.00',
      'CARD,Current,2027-03-01 09:00:00,2027-03-02 09:00:01,Shop,-4.00,0.00,GBP,COMPLETED,96.00',
    ),
    receipts: ['2027-03-01 100 gbp From Ann'],
    others: ['3 debit'],
  },
  {
    name: 'America, the month first',
    fields: simple({}, { date_format: 'MM/DD/YYYY' }),
    text: 'Date,Amount,Text\n3/1/2027,"$1,250.00",a\n03/02/2027,($3.00),b\n13/02/2027,1.00,c\n',
    receipts: ['2027-03-01 1250 usd a'],
    others: ['3 debit', '4 date'],
  },
  {
    name: 'one bad row among good ones',
    fields: simple(),
    text: 'Date,Amount,Text\n2027-03-01,1.00,a\n2027-03-01,2.00,6" pipe\n2027-03-01,"3.00"x,c\n2027-03-01,4.00,d\n2027-03-01,5.00,"e\n',
    receipts: ['2027-03-01 1 usd a', '2027-03-01 4 usd d'],
    others: ['3 file', '4 file', '6 file'],
  },
  {
    name: 'separators at the ends of rows, empty rows, a sum at the end',
    fields: simple({}, german),
    text: 'Date;Amount;Text\n01.03.2027;1,00;a;;\n\n;;\nSumme;1,00;\n',
    receipts: ['2027-03-01 1 usd a'],
    others: ['5 date'],
  },
  {
    name: 'Japan, no decimals',
    fields: simple({ currency: 'Currency' }),
    text: 'Date,Amount,Text,Currency\n2027/03/01,"¥12,000",a,JPY\n2027-03-01,¥500,b,JPY\n2027-03-01,5.5,c,JPY\n',
    receipts: ['2027-03-01 500 jpy b'],
    others: ['2 amount', '4 amount'],
  },
  {
    name: 'Commerzbank, MT940 with subfields',
    text: lines(
      ':20:951110',
      ':25:45050050/76198810',
      ':28C:27/01',
      ':60F:C270228EUR84349,74',
      ':61:2703010301CR1190,00NTRFNONREF//55555',
      ':86:166?00GUTSCHRIFT?109310?20EREF+RE-2027-12?21SVWZ+Rechnung 12 vom 1. Maer?22z?30COBADEFFXXX?31DE89370400440532013000?32Muster GmbH?33 Berlin',
      ':61:2703020302D800,NSTONONREF//55555',
      ':86:105?00LASTSCHRIFT?20SVWZ+Miete?32Vermieter',
      ':62F:C270302EUR84739,74',
      '-',
    ),
    receipts: ['2027-03-01 1190 eur Rechnung 12 vom 1. Maerz'],
    others: ['2 debit'],
  },
  {
    name: 'ING in the Netherlands, MT940 with codes and blocks',
    text: lines(
      '{1:F01INGBNL2ABXXX0000000000}',
      '{2:I940INGBNL2AXXXN}',
      '{4:',
      ':20:P270301000000001',
      ':25:NL20INGB0001234567EUR',
      ':28C:00000',
      ':60F:C270228EUR662,23',
      ':61:2703010301C1,56NTRFEREF//00000000001005',
      '/TRCD/00100/',
      ':86:/EREF/EV12341REP1231456T1234//CNTP/NL32INGB0000012345/INGBNL2A/J',
      'Janssen///REMI/USTD//Factuur 12/',
      ':61:2703010301D1,57NTRFPREF//00000000001006',
      '/TRCD/00200/',
      ':86:/PREF/M000000003333333//REMI/USTD//TOTAAL 1 VZ/',
      ':62F:C270301EUR564,35',
      '-}',
    ),
    receipts: ['2027-03-01 1.56 eur Factuur 12'],
    others: ['2 debit'],
  },
  {
    name: 'Rabobank, MT940 with names',
    text: lines(
      ':940:',
      ':20:940S270301',
      ':25:NL44RABO0123456789 EUR',
      ':28C:27001',
      ':60F:C270228EUR000000001000,00',
      ':61:270301C000000000484,00N541NL20INGB0001234567',
      'NL20INGB0001234567',
      ':86:/ORDP//NAME/Cafe Noel/REMI/Factuur 2027-12/ISDT/2027-03-01',
      ':62F:C270301EUR000000001484,00',
    ),
    receipts: ['2027-03-01 484 eur Factuur 2027-12'],
  },
  {
    name: 'MT940: returned, taken back, at the turn of the year, broken',
    text: lines(
      ':20:1',
      ':25:1',
      ':28C:1',
      ':60F:C261231EUR1,',
      ':61:2612310102C5,NTRFa//b',
      ':86:Rent for January',
      ':61:270102RC6,NTRFa',
      ':61:270102RD7,NTRFRef 7//b',
      ':61:270231C8,NTRFa',
      ':61:nonsense',
      ':62F:C270102EUR1,',
    ),
    receipts: ['2027-01-02 5 eur Rent for January', '2027-01-02 7 eur Ref 7'],
    others: ['2 debit', '4 date', '5 file'],
  },
  {
    name: 'camt.053, version 2',
    text: camt('02', v2({ details: paidBy('INV-00042') }), v2({ direction: 'DBIT', details: paidBy('Rent') })),
    receipts: ['2027-03-01 119 eur INV-00042'],
    others: ['2 debit'],
  },
  {
    name: 'camt.053, version 8, names of parties one level down, with a prefix',
    text: `<ns:Document xmlns:ns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><ns:BkToCstmrStmt><ns:Stmt><ns:Ntry>
<ns:Amt Ccy="EUR">20.5</ns:Amt><ns:CdtDbtInd>CRDT</ns:CdtDbtInd><ns:Sts><ns:Cd>BOOK</ns:Cd></ns:Sts><ns:BookgDt>
<ns:DtTm>2027-03-01T10:00:00+01:00</ns:DtTm></ns:BookgDt><ns:NtryDtls><ns:TxDtls><ns:RltdPties><ns:Dbtr><ns:Pty><ns:Nm>Ann</ns:Nm>
</ns:Pty></ns:Dbtr></ns:RltdPties><ns:RmtInf><ns:Strd><ns:CdtrRefInf><ns:Ref>RF18539007547034</ns:Ref></ns:CdtrRefInf></ns:Strd>
</ns:RmtInf></ns:TxDtls></ns:NtryDtls></ns:Ntry></ns:Stmt></ns:BkToCstmrStmt></ns:Document>`,
    receipts: ['2027-03-01 20.5 eur RF18539007547034'],
  },
  {
    name: 'camt.053: several payments in one entry',
    text: camt('02', v2({ details: paidBy('a', part('100.00')) + paidBy('b', part('19.00')) })),
    receipts: ['2027-03-01 100 eur a', '2027-03-01 19 eur b'],
  },
  {
    name: 'camt.053: parts that are not the whole, and entries without details',
    text: camt('02', v2({ details: paidBy('a', part('100.00')) + paidBy('b', part('9.00')) }), v2({ amount: '3' })),
    receipts: ['2027-03-01 119 eur ', '2027-03-01 3 eur '],
  },
  {
    name: 'camt.053: pending, zero, and entries with faults',
    text: camt(
      '02',
      v2({ status: 'PDNG' }),
      v2({ amount: '0.00' }),
      v2({ amount: '1.234' }),
      v2({ direction: 'X' }),
      v2({ amount: '7.00' }),
    ),
    receipts: ['2027-03-01 7 eur '],
    others: ['1 pending', '2 zero', '3 amount', '4 direction'],
  },
];

const send = ({ text, bytes = 'utf8', fields = {} }: Pick<BankFile, 'text' | 'bytes' | 'fields'>, more: object = {}) =>
  upload(
    client,
    [
      ...Object.entries({ ...fields, ...more }).map(([name, value]) => ({ name, content: Buffer.from(String(value)) })),
      { name: 'file', filename: 'statement', content: encoded[bytes](text) },
    ],
    { path: '/payments/import' },
  );

const told = ({ row, reason, error }: Answer['body']) => `${row} ${reason ?? error.param}`;

test('there are forty kinds of files', () => {
  expect(files.length).toBeGreaterThanOrEqual(40);
});

test.each(files.map((file) => [file.name, file] as const))('%s', async (_name, file) => {
  businesses += 1;
  client = (await api.open(`Business ${businesses}`)).sandbox;
  const tried = await send(file, { dry_run: 'true' });
  expect([tried.status, tried.body]).toEqual([200, { rows: expect.any(Array) }]);
  const { body } = await send(file);
  const statuses = body.rows.map(({ status }: Answer['body']) => status);
  expect(tried.body.rows.map(({ status }: Answer['body']) => status)).toEqual(statuses);
  const payments: Answer['body'][] = (await client.get('/payments?sort=id')).body;
  const shown = payments.map(({ date, amount, currency, reference }) => {
    return `${new Date(date * 1000).toISOString().slice(0, 10)} ${amount} ${currency} ${reference ?? ''}`;
  });
  expect(shown).toEqual(file.receipts);
  const others = body.rows.filter(({ status }: Answer['body']) => status !== 'created');
  expect(others.map(told)).toEqual(file.others ?? []);
  const dry = tried.body.rows.filter(({ status }: Answer['body']) => status === 'created');
  expect(
    dry.map(({ date, amount, currency, direction }: Answer['body']) => `${date} ${amount} ${currency} ${direction}`),
  ).toEqual(file.receipts.map((receipt) => `${receipt.split(' ').slice(0, 3).join(' ')} credit`));
  const again = await send(file);
  expect(again.body.rows.filter(({ status }: Answer['body']) => status === 'created')).toEqual([]);
});
