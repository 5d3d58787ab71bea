import { type BankFile, german, lines, mapped } from './bankFile.ts';

// CSV of banks in Europe. The columns are those that public importers of their exports name; names and amounts are invented.

const bank = (text: string, fields: Record<string, string>, [receipt = '', ...others]: readonly string[]) => {
  return { text, fields, receipts: [receipt], others };
};

const french = { date_format: 'DD/MM/YYYY', decimal_separator: ',' };

const buchung = { date: 'Buchungstag', reference: 'Verwendungszweck' };

export const europeanFiles: readonly BankFile[] = [
  {
    name: 'Commerzbank, the purpose in the booking text',
    bytes: 'utf-8 with a mark',
    ...bank(
      `Buchungstag;Wertstellung;Umsatzart;Buchungstext;Betrag;Währung;IBAN Kontoinhaber;Kategorie
02.03.2027;03.03.2027;Gutschrift;Muster GmbH Rechnung INV-12;1100;EUR;DE02120300000000202051;
03.03.2027;03.03.2027;Lastschrift;Strom Abschlag;-10,7;EUR;DE02120300000000202051;Wohnen
`,
      mapped({ date: 'Buchungstag', amount: 'Betrag', reference: 'Buchungstext', currency: 'Währung' }, german),
      ['2027-03-02 1100 eur Muster GmbH Rechnung INV-12', '3 debit'],
    ),
  },
  {
    name: 'Deutsche Bank, Soll and Haben with signs, a sum at the end',
    bytes: 'windows-1252',
    ...bank(
      lines(
        'Umsätze Girokonto;;;Kundennummer: 100 1234567',
        '01.03.2027 - 31.03.2027',
        'Letzter Kontostand;;;;1.000,00;EUR',
        'Vorgemerkte und noch nicht gebuchte Umsätze sind nicht Bestandteil dieser Übersicht.',
        'Buchungstag;Wert;Umsatzart;Begünstigter / Auftraggeber;Verwendungszweck;IBAN;BIC;Kundenreferenz;Mandatsreferenz;Gläubiger ID;Fremde Gebühren;Betrag;Abweichender Empfänger;Anzahl der Aufträge;Anzahl der Schecks;Soll;Haben;Währung',
        '02.03.2027;02.03.2027;SEPA-Gutschrift;Muster GmbH;RE 4711;DE89370400440532013000;COBADEFFXXX;;;;;;;;;;1.190,00;EUR',
        '03.03.2027;03.03.2027;SEPA-Lastschrift;Stadtwerke;Abschlag;DE11;X;;M1;DE98;;;;;;-89,50;;EUR',
        'Kontostand;31.03.2027;;;2.100,50;EUR',
      ),
      mapped({ ...buchung, amount: 'Haben', debit: 'Soll', currency: 'Währung' }, { ...german, skip_rows: '4' }),
      ['2027-03-02 1190 eur RE 4711', '7 debit', '8 amount'],
    ),
  },
  {
    name: 'Postbank, Betrag beside Soll and Haben',
    ...bank(
      lines(
        'Umsätze',
        'Konto;Filial-/Kontonummer;IBAN;Währung',
        'Giro;100 1234567 00;DE02120300000000202051;EUR',
        '',
        'Buchungstag;Wert;Umsatzart;Begünstigter / Auftraggeber;Verwendungszweck;IBAN / Kontonummer;BIC;Kundenreferenz;Mandatsreferenz;Gläubiger ID;Fremde Gebühren;Betrag;Abweichender Empfänger;Anzahl der Aufträge;Anzahl der Schecks;Soll;Haben;Währung',
        '2.3.2027;2.3.2027;SEPA Überweisung von;Muster GmbH;Rechnung 9;DE89370400440532013000;COBADEFFXXX;;;;;250;;;;;250;EUR',
        '3.3.2027;3.3.2027;SEPA Lastschrift;Vermieter;Miete;DE11;X;;;;;-800;;;;-800;;EUR',
      ),
      mapped({ ...buchung, amount: 'Betrag', currency: 'Währung' }, { ...german, skip_rows: '4' }),
      ['2027-03-02 250 eur Rechnung 9', '7 debit'],
    ),
  },
  {
    name: 'Volksbank, one account in front and the other behind',
    ...bank(
      lines(
        'Bezeichnung Auftragskonto;IBAN Auftragskonto;BIC Auftragskonto;Bankname Auftragskonto;Buchungstag;Valutadatum;Name Zahlungsbeteiligter;IBAN Zahlungsbeteiligter;BIC (SWIFT-Code) Zahlungsbeteiligter;Buchungstext;Verwendungszweck;Betrag;Waehrung;Saldo nach Buchung;Bemerkung;Gekennzeichneter Umsatz;Glaeubiger ID;Mandatsreferenz',
        'Konto;DE02120300000000202051;GENODEF1XXX;Volksbank;02.03.2027;01.03.2027;Muster AG;DE89370400440532013000;COBADEFFXXX;Gutschrift;INV-7;75,00;EUR;1075,00;;;;',
        'Konto;DE02120300000000202051;GENODEF1XXX;Volksbank;03.03.2027;03.03.2027;Telekom;DE11;X;Lastschrift;Telefon;-40,00;EUR;1035,00;;;DE98;M1',
      ),
      mapped({ ...buchung, amount: 'Betrag', currency: 'Waehrung' }, german),
      ['2027-03-02 75 eur INV-7', '3 debit'],
    ),
  },
  {
    name: 'N26, original amounts beside those of the account',
    ...bank(
      `"Booking Date","Value Date","Partner Name","Partner Iban",Type,"Payment Reference","Account Name","Amount (EUR)","Original Amount","Original Currency","Exchange Rate"
2027-03-02,2027-03-01,"Muster AG",DE89370400440532013000,"Credit Transfer",INV-8,"Main Account",80.5,,,
2027-03-03,2027-03-03,"Shop",,Presentment,,"Main Account",-15.00,-16.00,USD,1.066667
`,
      mapped({ date: 'Booking Date', amount: 'Amount (EUR)', reference: 'Payment Reference' }),
      ['2027-03-02 80.5 usd INV-8', '3 debit'],
    ),
  },
  {
    name: 'BoursoBank in France, names in one word',
    ...bank(
      `dateOp;dateVal;label;category;categoryParent;supplierFound;amount;comment;accountNum;accountLabel;accountbalance
2027-03-02;2027-03-01;"VIR SEPA MUSTER INV-9";"Virements reçus";"Virements";;2 480,45;;00040211293;BoursoBank;3000.00
2027-03-03;2027-03-03;"CARTE MARCHE";"Alimentation";"Vie quotidienne";marche;-54,20;;00040211293;BoursoBank;2945.80
`,
      mapped({ date: 'dateOp', amount: 'amount', reference: 'label' }, { decimal_separator: ',' }),
      ['2027-03-02 2480.45 usd VIR SEPA MUSTER INV-9', '3 debit'],
    ),
  },
  {
    name: 'Crédit Agricole, texts of several lines',
    bytes: 'windows-1252',
    ...bank(
      `Téléchargement du 31/03/2027;

M. DUPONT
Compte courant n° 12345678901;
Solde au 31/03/2027 2 917,01 €

Date;Libellé;Débit euros;Crédit euros;
02/03/2027;"VIREMENT EN VOTRE FAVEUR
MUSTER INV-10
";;2\u00a0100,00;
03/03/2027;"PAIEMENT PAR CARTE
MARCHE
";45,30;;
`,
      mapped(
        { date: 'Date', amount: 'Crédit euros', debit: 'Débit euros', reference: 'Libellé' },
        { ...french, skip_rows: '6' },
      ),
      ['2027-03-02 2100 usd VIREMENT EN VOTRE FAVEUR MUSTER INV-10', '9 debit'],
    ),
  },
  {
    name: 'BBVA in Spain',
    ...bank(
      `Fecha operación;Fecha valor;Concepto;Importe;Saldo;Moneda;Referencia
02/03/2027;01/03/2027;Transferencia recibida INV-11;1.000,00;1.500,00;EUR;0182001
03/03/2027;03/03/2027;Recibo luz;-123,45;1.376,55;EUR;0182002
`,
      mapped({ date: 'Fecha operación', amount: 'Importe', reference: 'Concepto', currency: 'Moneda' }, french),
      ['2027-03-02 1000 eur Transferencia recibida INV-11', '3 debit'],
    ),
  },
  {
    name: 'Abanca in Spain, two columns with one name',
    ...bank(
      lines(
        'Fecha ctble;Fecha valor;Concepto;Importe;Moneda;Saldo;Moneda;Concepto ampliado',
        '02-03-2027;01-03-2027;Transferencia INV-12;12,50;EUR;987,50;EUR;Detalle',
        '03-03-2027;03-03-2027;Tienda;-3,00;EUR;984,50;EUR;Detalle',
      ),
      mapped(
        { date: 'Fecha ctble', amount: 'Importe', reference: 'Concepto' },
        { date_format: 'DD-MM-YYYY', decimal_separator: ',' },
      ),
      ['2027-03-02 12.5 usd Transferencia INV-12', '3 debit'],
    ),
  },
  {
    name: 'ActivoBank in Portugal, lines before the header',
    bytes: 'windows-1252',
    ...bank(
      lines(
        'Conta à Ordem:;45636653703;;;',
        'Moeda:;EUR;;;',
        'Data de:;01/03/2027;;;',
        ';;;;',
        'Data Lanc.;Data Valor;Descrição;Valor;Saldo',
        '02/03/2027;01/03/2027;TRF MUSTER INV-13;1 200,00;2 200,00',
        '03/03/2027;03/03/2027;COMPRA;-45,00;2 155,00',
      ),
      mapped({ date: 'Data Lanc.', amount: 'Valor', reference: 'Descrição' }, { ...french, skip_rows: '4' }),
      ['2027-03-02 1200 usd TRF MUSTER INV-13', '7 debit'],
    ),
  },
  {
    name: 'UniCredit in Italy',
    ...bank(
      `Data Registrazione;Data valuta;Descrizione;Importo (EUR)
02.03.2027;01.03.2027;BONIFICO MUSTER INV-14;1.250,00
03.03.2027;03.03.2027;PAGAMENTO POS;-20,00
`,
      mapped({ date: 'Data Registrazione', amount: 'Importo (EUR)', reference: 'Descrizione' }, german),
      ['2027-03-02 1250 usd BONIFICO MUSTER INV-14', '3 debit'],
    ),
  },
  {
    name: 'UBS in Switzerland, parts of an order, separators at the ends',
    ...bank(
      lines(
        'Kontonummer:;0000 00000000.00A;',
        'IBAN:;CH93 0076 2011 6238 5295 7;',
        'Von:;2027-03-01;',
        'Bis:;2027-03-31;',
        'Bewertet in:;CHF;',
        'Anzahl Transaktionen in diesem Zeitraum:;2;',
        '',
        'Abschlussdatum;Abschlusszeit;Buchungsdatum;Valutadatum;Währung;Belastung;Gutschrift;Einzelbetrag;Saldo;Transaktions-Nr.;Beschreibung1;Beschreibung2;Beschreibung3;Fussnoten;',
        '2027-03-02;14:23:05;2027-03-03;2027-03-02;CHF;;1250.50;;2250.50;TEST1;Muster AG INV-15;Gutschrift;;;',
        "2027-03-04;;2027-03-04;2027-03-04;CHF;-1'000.00;;;1250.50;TEST2;Sammelauftrag;;;;",
      ),
      mapped(
        {
          date: 'Buchungsdatum',
          amount: 'Gutschrift',
          debit: 'Belastung',
          reference: 'Beschreibung1',
          currency: 'Währung',
        },
        { skip_rows: '7' },
      ),
      ['2027-03-03 1250.5 chf Muster AG INV-15', '10 debit'],
    ),
  },
  {
    name: 'PostFinance in Switzerland, a note at the end',
    bytes: 'utf-8 with a mark',
    ...bank(
      lines(
        'Datum von:;="01.03.2027"',
        'Datum bis:;="31.03.2027"',
        'Kategorie:;="Alle"',
        'Konto:;="CH93 0900 0000 0000 0000 0"',
        'Währung:;="CHF"',
        '',
        'Datum;Bewegungstyp;Avisierungstext;Gutschrift in CHF;Lastschrift in CHF;Label;Kategorie',
        '02.03.2027;Gutschrift;"Gutschrift Muster AG INV-16";5200.00;;;Lohn',
        '03.03.2027;Belastung;"Einkauf Markt";;-23.40;;Lebensmittel',
        '',
        'Disclaimer:',
        '"Dieser Auszug dient nur zur Information."',
      ),
      mapped(
        { date: 'Datum', amount: 'Gutschrift in CHF', debit: 'Lastschrift in CHF', reference: 'Avisierungstext' },
        { date_format: 'DD.MM.YYYY', skip_rows: '6' },
      ),
      ['2027-03-02 5200 usd Gutschrift Muster AG INV-16', '9 debit', '11 amount', '12 amount'],
    ),
  },
  {
    name: 'Nordea in Sweden, with a payment that is not booked',
    ...bank(
      `Bokföringsdag;Belopp;Avsändare;Mottagare;Namn;Rubrik;Saldo;Valuta;
Reserverat;-39,95;9040298476;;;KORT;;SEK;
2027/03/02;1000,00;;1709 20 72840;Muster AB;Faktura INV-17;5495,52;SEK;
2027/03/01;-500,00;1709 20 72840;;;Swish betalning;4495,52;SEK;
2027/03/01;-12,00;1709 20 72840;;;Avgift;4995,52;SEK;
`,
      mapped(
        { date: 'Bokföringsdag', amount: 'Belopp', reference: 'Rubrik', currency: 'Valuta' },
        { date_format: 'YYYY/MM/DD', decimal_separator: ',' },
      ),
      ['2027-03-02 1000 sek Faktura INV-17', '2 debit', '4 debit', '5 debit'],
    ),
  },
  {
    name: 'DNB in Norway, out of and into the account',
    ...bank(
      `Dato;Forklaring;Rentedato;Ut fra konto;Inn på konto
10.03.2027;Vipps*Kaffebar;10.03.2027;450,00;
12.03.2027;"Innbetaling; faktura 77";13.03.2027;;12 500,00
`,
      mapped({ date: 'Dato', amount: 'Inn på konto', debit: 'Ut fra konto', reference: 'Forklaring' }, german),
      ['2027-03-12 12500 usd Innbetaling; faktura 77', '2 debit'],
    ),
  },
  {
    name: 'Danske Bank in Denmark',
    bytes: 'windows-1252',
    ...bank(
      `"Dato";"Tekst";"Beløb";"Saldo";"Status";"Afstemt"
"02.03.2027";"Overførsel INV-18";"1.500,00";"2.500,00";"Udført";"Nej"
"03.03.2027";"Dankort-køb";"-99,95";"2.400,05";"Udført";"Nej"
`,
      mapped({ date: 'Dato', amount: 'Beløb', reference: 'Tekst' }, german),
      ['2027-03-02 1500 usd Overførsel INV-18', '3 debit'],
    ),
  },
  {
    name: 'mBank in Poland, thirty-seven lines before the header',
    ...bank(
      lines(
        'mBank S.A. Bankowość Detaliczna;',
        ...Array.from({ length: 32 }, (_, place) => (place % 3 === 0 ? '' : `#Pole ${place};Wartość;`)),
        '#Waluta;#Wpływy;#Wydatki;',
        'PLN;1 230,00;-45,00;',
        '',
        '',
        '#Data operacji;#Data księgowania;#Opis operacji;#Tytuł;#Nadawca/Odbiorca;#Numer konta;#Kwota;#Saldo po operacji;',
        '2027-03-01;2027-03-02;PRZELEW PRZYCHODZĄCY;"Zapłata za INV-19";"MUSTER SP Z O O";\'12345678901234567890123456\';1 230,00;11 230,00;',
        '2027-03-03;2027-03-03;ZAKUP PRZY UŻYCIU KARTY;"SKLEP";"";\'\';-45,00;11 185,00;',
        ';;;;;;#Saldo końcowe;11 185,00 PLN;',
      ),
      mapped(
        { date: '#Data księgowania', amount: '#Kwota', reference: '#Tytuł' },
        { decimal_separator: ',', skip_rows: '37' },
      ),
      ['2027-03-02 1230 usd Zapłata za INV-19', '40 debit', '41 amount'],
    ),
  },
  {
    name: 'Garanti in Turkey',
    ...bank(
      `Tarih;Açıklama;Etiket;Tutar;Bakiye
02/03/2027;Gelen havale INV-20;;1.250,00;3.250,00
03/03/2027;Kart;Market;-50,00;3.200,00
`,
      mapped({ date: 'Tarih', amount: 'Tutar', reference: 'Açıklama' }, french),
      ['2027-03-02 1250 usd Gelen havale INV-20', '3 debit'],
    ),
  },
];
