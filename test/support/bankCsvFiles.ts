import { type BankFile, german, lines, mapped, simple } from './bankFile.ts';

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

/** CSV as banks export it. */
export const csvFiles: readonly BankFile[] = [
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
    text: lines(
      'Date,Type,Description,Value,Balance',
      '03 Mar 2027,BAC,INV 13,99.50,1.00',
      '04 March 2027,POS,TEA,-3.20,1.00',
    ),
    receipts: ['2027-03-03 99.5 usd INV 13'],
    others: ['3 debit'],
  },
  {
    name: 'Lloyds, columns for debits and credits',
    fields: mapped(
      {
        date: 'Transaction Date',
        debit: 'Debit Amount',
        amount: 'Credit Amount',
        reference: 'Transaction Description',
      },
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
];
