import { type BankFile, lines } from './bankFile.ts';

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

/** Messages of SWIFT and ISO 20022. */
export const messages: readonly BankFile[] = [
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
