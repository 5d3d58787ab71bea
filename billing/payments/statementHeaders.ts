// How banks name the columns of their CSV, in many languages. Names are compared by `headerKey`.

/** What a column of a statement is for. `credit`: only money that came in. */
export type ColumnRole =
  | 'date'
  | 'amount'
  | 'credit'
  | 'debit'
  | 'direction'
  | 'currency'
  | 'reference'
  | 'payer'
  | 'sender';

/** Characters that lose no mark when they are decomposed. */
const LETTERS: Readonly<Record<string, string>> = { ß: 'ss', ø: 'o', æ: 'ae', ł: 'l', ı: 'i', đ: 'd' };

/** A longer name is no name of a column. */
const MOST_CHARACTERS = 80;

const CURRENCY_BEHIND =
  /^(.{2,}?)(?:in|operationen)?(?:eur|euros?|chf|gbp|usd|cad|aud|nzd|pln|sek|dkk|nok|czk|tl|try|jpy)$/;

/** A name without case, accents, spaces, signs, and the currency behind it: `Bedrag (EUR)` becomes `bedrag`. */
export function headerKey(name: string): string {
  if (name.length > MOST_CHARACTERS) return '';
  const plain = name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[ßøæłıđ]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]/gu, '');
  return CURRENCY_BEHIND.exec(plain)?.[1] ?? plain;
}

/** Names of a role from the best to the poorest: each line is a rank. Expressions match a whole name, or a part of it without anchors. */
interface RoleWords {
  ranks: readonly RegExp[];
  /** Names that are never of this role. */
  never: RegExp;
}

const whole = (names: string) => new RegExp(`^(?:${names.trim().split(/\s+/).join('|')})$`);
const NOTHING = /^$/;
const VALUE_DAY = /valut|valeur|valor|wert|value|rente|dateval|valuer/;

const NO_AMOUNT =
  /balance|saldo|kontostand|solde|bakiye|running|fee|gebuhr|gebuehr|frais|kosten|ursprung|orig|auslage|ersatz|exchange|kurs|rate|foreign|local|fremd|einzel|tax|vat|interest|commission|currency|wahrung|waehrung|type|typ$|art$|date|datum|tag$|number|nummer|count|anzahl|iban/;

const words: Readonly<Record<ColumnRole, RoleWords>> = {
  date: {
    ranks: [
      whole(`completeddate datecompleted datecompletedutc posteddate postingdate postdate dateposted bookingdate bookdate buchungstag
        buchungsdatum buchung boekdatum boekingsdatum boekingsdag datedecomptabilisation datecomptable dateoperation datedoperation
        datedeloperation dateop datacontabile dataregistrazione datadiregistrazione fechaoperacion fechadeoperacion foperacion fechacontable
        bokforingsdag bokforingsdatum bokforingsdato bogforingsdato bogfort bogfortdato bokfortdato bokfort dataksiegowania datamov
        datamovimento datalancamento datadolancamento dataoperacao`),
      whole(`date datum dato data fecha tarih islemtarihi transactiondate dateoftransaction transactiedatum transaktionsdatum dataoperacji
        datatransakcji dataoperazione fechadetransaccion dateutc day dag tag transaktionsdag`),
      /date|datum|dato|fecha|tarih|^data|tag$/,
      VALUE_DAY,
    ],
    never: /start|birth|due|valid|expir|update|time$|created|faellig|fallig|geburt|mandat/,
  },
  amount: {
    ranks: [
      whole(`amount betrag umsatz bedrag montant importe importo kwota valor valore value belopp belob belop tutar islemtutari
        transactiebedrag transactionamount kwotaoperacji kwotatransakcji montantdeloperation montantoperation importeoperacion
        importodellamovimentazione bedragtransactie summe sum suma`),
      /amount|betrag|bedrag|montant|importe|importo|kwota|belopp|belob|belop|tutar|umsatz/,
      whole('cad usd eur chf gbp aud nzd'),
    ],
    never: NO_AMOUNT,
  },
  credit: {
    ranks: [
      whole(`credit credits creditamount amountcredit credited cr haben gutschrift gutschriften paidin moneyin deposit deposits depositamount in
        abono abonos haber ingreso ingresos entrada entradas avere accrediti accredito entrate crediti credito creditos bij kredit uznania
        wplywy insattning insatt inn innpakonto indsat alacak kredyt creditvalue incoming received eingang gutschriftsbetrag`),
    ],
    never: NO_AMOUNT,
  },
  debit: {
    ranks: [
      whole(`debit debits debitamount amountdebit debited dr soll lastschrift lastschriften belastung belastungen paidout moneyout withdrawal
        withdrawals withdrawalamount out cargo cargos debe gasto gastos salida salidas saida saidas dare addebiti addebito uscite debiti debito
        debitos af debet obciazenia wydatki uttag ut utfrakonto haevet borc debitvalue outgoing spent ausgang belastungsbetrag`),
    ],
    never: NO_AMOUNT,
  },
  direction: {
    ranks: [
      whole(`afbij bijaf byafcode sh dk kd dc cd crdr drcr sollhaben debitcredit creditdebit debetcredit creditdebet direction richting
        sens segno signo sign sollhabenkennung sollhabenkennzeichen creditdebitindicator debitcreditindicator borcalacak debitorcredit
        creditordebit transactiondirection dcindicator`),
      /type|typ|tipo|^art$|umsatzart|soort|code|detail|indicator|kennung|kennzeichen|direction/,
    ],
    never: NOTHING,
  },
  currency: {
    ranks: [
      whole(`currency currencycode wahrung waehrung munt muntsoort devise divisa moneda moeda valuta valutakod waluta doviz dovizcinsi
        parabirimi paymentcurrency accountcurrency transactioncurrency kontowahrung mutationcode monnaie mena`),
    ],
    never: NOTHING,
  },
  reference: {
    ranks: [
      whole(`paymentreference paymentreferences remittanceinformation remittanceinformationunstructured verwendungszweck
        vorgangverwendungszweck buchungstextverwendungszweck zahlungszweck mededelingen mededeling communication communications tytul
        tytuloperacji causale detaildelecriture libelledetaille libellecomplet libelleoperation meddelande melding betalingsreferanse`),
      whole('reference yourreference payerreference'),
      whole(`description transactiondescription memo narrative particulars omschrijving omschrijving1 omschr1
        libelle label text tekst texto testo beskrivelse beskrivning rubrik forklaring opis opisoperacji opistransakcji descrizione
        descrizioneoperazione descripcion concepto descricao historico aciklama avisierungstext beschreibung beschreibung1 buchungsdetails
        mitteilung message description1 bankdescription popis`),
      whole('details transactiondetails'),
      /verwendung|zweck|descri|narrati|libell|omschrijv|beskriv|beschreib|concept|aciklama|memo/,
      whole('buchungstext notes note comment comments reference1 referenz referencia observaciones'),
    ],
    never: /datum|date$|iban|number|nummer/,
  },
  payer: {
    ranks: [
      whole(`payer payername debtor debtorname beguenstigterzahlungspflichtiger begunstigterzahlungspflichtiger zahlungspflichtiger
        zahlungspflichtigerr namezahlungsbeteiligter counterparty counterpartyname naamtegenpartij tegenpartij tegenpartijnaam
        naamomschrijving partnername auftraggeberbegunstigter begunstigterauftraggeber beguenstigterauftraggeber auftraggeberempfanger
        kontrahent nadawcaodbiorca ordonnateur ordinante`),
      /zahlungspflichtig|zahlungsbeteiligt|auftraggeber|counterparty|tegenpartij|nadawca/,
      whole('name naam namn navn nom nombre'),
      whole('sendername sender avsandare afsender avsender from payee payeename merchantname merchant'),
    ],
    never: /konto|account|iban|bic|blz|rekening|bank|empfangerin|uiteindelijke|initierende|referen/,
  },
  sender: {
    ranks: [
      whole(`tegenrekening tegenrekeningibanbban tegenrekeningiban rekeningtegenpartij kontonummeriban ibankontonummer
        ibanzahlungsbeteiligter partneriban counterpartyaccount counterpartyiban counterpartyaccountnumber senderaccount senderiban
        payeriban payeraccount payeraccountnumber debtoraccount debtoriban numerkonta numerrachunkukontrahenta rachunekkontrahenta motkonto
        fromaccount`),
    ],
    never: /auftragskonto|auftraggeberkonto|kontoinhaber/,
  },
};

/** The rank of a name for a role, 0 is the best; null: it is not of this role. */
export function rankOf(key: string, role: ColumnRole): number | null {
  const { ranks, never } = words[role];
  if (key === '' || never.test(key)) return null;
  const isValueDay = role === 'date' && VALUE_DAY.test(key);
  const rank = isValueDay ? ranks.length - 1 : ranks.findIndex((names) => names.test(key));
  return rank < 0 ? null : rank;
}

/** Places of the columns of a role, the best first; among equals, the first of the header. */
export function placesOf(keys: readonly string[], role: ColumnRole): number[] {
  const ranked = keys.flatMap((key, place) => {
    const rank = rankOf(key, role);
    return rank === null ? [] : [{ place, rank }];
  });
  return ranked.toSorted((one, other) => one.rank - other.rank).map(({ place }) => place);
}

/** Whether a name is that of a balance, a fee or the like: its amounts are no payments. */
export function isOtherAmount(key: string): boolean {
  return NO_AMOUNT.test(key);
}

/**
 * Place of the account of the other party; null: there is none. A column that is only called IBAN is theirs if it stands behind their name;
 * one's own account stands at the beginning.
 */
export function senderPlace(keys: readonly string[], payer: number | null): number | null {
  const [named = null] = placesOf(keys, 'sender');
  if (named !== null) return named;
  const iban = keys.indexOf('iban');
  return payer !== null && iban > payer ? iban : null;
}
