import { type BankFile, lines, mapped } from './bankFile.ts';

// CSV of banks in English, and of those of several countries. The columns are those that public importers of their exports name; names and amounts are invented.

const american = { date_format: 'MM/DD/YYYY' };
const british = { date_format: 'DD/MM/YYYY' };

export const worldFiles: readonly BankFile[] = [
  {
    name: 'Chase, words for the direction beside signs, one field more in each row',
    text: lines(
      'Details,Posting Date,Description,Amount,Type,Balance,Check or Slip #',
      'CREDIT,03/15/2027,"ORIG CO NAME:ACME INV-21",1250.00,ACH_CREDIT,3250.00,,',
      'DSLIP,03/14/2027,DEPOSIT 990,40.00,DEPOSIT,2000.00,990,',
      'DEBIT,03/13/2027,RENT,-800.00,ACH_DEBIT,1960.00,,',
    ),
    fields: mapped({ date: 'Posting Date', amount: 'Amount', reference: 'Description' }, american),
    receipts: ['2027-03-15 1250 usd ORIG CO NAME:ACME INV-21', '2027-03-14 40 usd DEPOSIT 990'],
    others: ['4 debit'],
  },
  {
    name: 'Bank of America, a summary before the header, a balance without an amount',
    text: lines(
      'Description,,Summary Amt.',
      'Beginning balance as of 03/01/2027,,"1,000.00"',
      'Total credits,,"1,203.50"',
      'Total debits,,"-71.20"',
      '',
      'Date,Description,Amount,Running Bal.',
      '03/01/2027,Beginning balance as of 03/01/2027,,"1,000.00"',
      '03/05/2027,"CHECKCARD 0305 CLOUD",-71.20,"928.80"',
      '03/16/2027,"ACME DES:PAYMENT INV-22","1,203.50","2,132.30"',
    ),
    fields: mapped({ date: 'Date', amount: 'Amount', reference: 'Description' }, { ...american, skip_rows: '5' }),
    receipts: ['2027-03-16 1203.5 usd ACME DES:PAYMENT INV-22'],
    others: ['7 amount', '8 debit'],
  },
  {
    name: 'Capital One, debits and credits',
    text: lines(
      'Transaction Date,Posted Date,Card No.,Description,Category,Debit,Credit',
      '2027-03-01,2027-03-02,1234,PAYMENT INV-23,Payments,,200.00',
      '2027-03-02,2027-03-03,1234,GAS STATION,Gas,38.00,',
    ),
    fields: mapped({ date: 'Posted Date', amount: 'Credit', debit: 'Debit', reference: 'Description' }),
    receipts: ['2027-03-02 200 usd PAYMENT INV-23'],
    others: ['3 debit'],
  },
  {
    name: 'PNC, withdrawals and deposits',
    text: lines(
      'Date,Description,Withdrawals,Deposits,Category,Balance',
      '03/17/2027,ACH CREDIT ACME INV-24,,"$1,000.00",Deposits,"$1,500.00"',
      '03/18/2027,POS PURCHASE,$12.00,,Shopping,"$1,488.00"',
    ),
    fields: mapped({ date: 'Date', amount: 'Deposits', debit: 'Withdrawals', reference: 'Description' }, american),
    receipts: ['2027-03-17 1000 usd ACH CREDIT ACME INV-24'],
    others: ['3 debit'],
  },
  {
    name: 'Barclays, text in the memo',
    text: lines(
      'Number,Date,Account,Amount,Subcategory,Memo',
      ',03/08/2027,20-00-00 12345678,-10.99,PAYMENT,STREAM ON 02 AUG BCC',
      ',15/07/2027,20-00-00 12345678,2450.00,DIRECTDEP,ACME LTD INV-25 BGC',
    ),
    fields: mapped({ date: 'Date', amount: 'Amount', reference: 'Memo' }, british),
    receipts: ['2027-07-15 2450 usd ACME LTD INV-25 BGC'],
    others: ['2 debit'],
  },
  {
    name: 'HSBC in the United Kingdom, three columns',
    text: lines('Date,Description,Amount', '15/01/2027,ACME INV-26,"1,045.23"', '16/01/2027,SHOP,-45.23'),
    fields: mapped({ date: 'Date', amount: 'Amount', reference: 'Description' }, british),
    receipts: ['2027-01-15 1045.23 usd ACME INV-26'],
    others: ['3 debit'],
  },
  {
    name: 'Nationwide, signs of currencies and lines before the header',
    bytes: 'windows-1252',
    text: lines(
      '"Account Name:","Current Account ****12345"',
      '"Account Balance:","£1,234.56"',
      '"Available Balance: ","£1,234.56"',
      '',
      '"Date","Transaction type","Description","Paid out","Paid in","Balance"',
      '"02 Mar 2027","Bank credit","ACME INV-27","","£1,000.00","£2,234.56"',
      '"03 Mar 2027","Direct debit","Water","£30.00","","£2,204.56"',
    ),
    fields: mapped(
      { date: 'Date', amount: 'Paid in', debit: 'Paid out', reference: 'Description' },
      { date_format: 'DD MMM YYYY', skip_rows: '4' },
    ),
    receipts: ['2027-03-02 1000 gbp ACME INV-27'],
    others: ['7 debit'],
  },
  {
    name: 'Starling, the reference beside the counter party',
    text: lines(
      'Date,Counter Party,Reference,Type,Amount (GBP),Balance (GBP),Spending Category,Notes',
      '01/03/2027,Acme Ltd,INV-28,FASTER PAYMENT,1500.00,5500.00,INCOME,',
      '02/03/2027,Landlord,Rent,FASTER PAYMENT,-1000.00,4500.00,PAYMENTS,',
    ),
    fields: mapped({ date: 'Date', amount: 'Amount (GBP)', reference: 'Reference', payer: 'Counter Party' }, british),
    receipts: ['2027-03-01 1500 usd INV-28'],
    others: ['3 debit'],
  },
  {
    name: 'Monzo, money out and in beside the amount',
    text: lines(
      'Transaction ID,Date,Time,Type,Name,Emoji,Category,Amount,Currency,Local amount,Local currency,Notes and #tags,Address,Receipt,Description,Category split,Money Out,Money In',
      'tx_001,12/03/2027,11:26:03,Card payment,Coffee Shop,☕,Eating out,-13.03,GBP,-13.03,GBP,,,,COFFEE,,-13.03,',
      'tx_002,13/03/2027,12:00:00,Faster payment,Acme Ltd,,Income,100.00,GBP,100.00,GBP,,,,INV-29,,,100.00',
    ),
    fields: mapped({ date: 'Date', amount: 'Amount', currency: 'Currency', reference: 'Description' }, british),
    receipts: ['2027-03-13 100 gbp INV-29'],
    others: ['2 debit'],
  },
  {
    name: 'Revolut Business, several days and amounts',
    text: lines(
      'Date started (UTC),Date completed (UTC),ID,Type,State,Description,Reference,Payer,Card number,Orig currency,Orig amount,Payment currency,Amount,Total amount,Exchange rate,Fee,Fee currency,Balance,Account,Beneficiary account number,Beneficiary IBAN',
      '2027-03-01 09:23:45,2027-03-02 09:23:45,rev-1,TRANSFER,COMPLETED,From Acme Ltd,INV-30,Acme Ltd,,EUR,2500.00,GBP,2100.00,2100.00,1.19,0.00,GBP,2100.00,Main,,',
      '2027-03-03 10:00:00,2027-03-03 10:00:02,rev-2,CARD_PAYMENT,COMPLETED,Shop,,,1234,GBP,4.00,GBP,-4.00,-4.50,,0.50,GBP,2095.50,Main,,',
    ),
    fields: mapped({
      date: 'Date completed (UTC)',
      amount: 'Amount',
      currency: 'Payment currency',
      reference: 'Reference',
    }),
    receipts: ['2027-03-02 2100 gbp INV-30'],
    others: ['3 debit'],
  },
  {
    name: 'Wise, days with hyphens',
    text: lines(
      'TransferWise ID,Date,Amount,Currency,Description,Payment Reference,Running Balance,Exchange From,Exchange To,Exchange Rate,Payer Name,Payee Name,Payee Account Number,Merchant,Card Last Four Digits,Card Holder Full Name,Attachment,Note,Total fees',
      'TRANSFER-1,08-03-2027,1150.00,EUR,Received money from Acme with reference INV-31,INV-31,1150.00,,,,Acme,,,,,,,,0.00',
      'CARD-2,09-03-2027,-9.99,EUR,Card transaction,,1140.01,,,,,,,Stream,1234,,,,0.00',
    ),
    fields: mapped(
      { date: 'Date', amount: 'Amount', currency: 'Currency', reference: 'Payment Reference', payer: 'Payer Name' },
      { date_format: 'DD-MM-YYYY' },
    ),
    receipts: ['2027-03-08 1150 eur INV-31'],
    others: ['3 debit'],
  },
  {
    name: 'ANZ in New Zealand, the day after the amount',
    text: lines(
      'Type,Details,Particulars,Code,Reference,Amount,Date,ForeignCurrencyAmount,ConversionCharge',
      'Direct Credit,Acme Ltd,Invoice,,INV-32,"2,650.00",12/03/2027,,',
      'Eft-Pos,Z Energy Kingsland,4835****,1234,,-91.20,14/03/2027,,',
    ),
    fields: mapped({ date: 'Date', amount: 'Amount', reference: 'Reference' }, british),
    receipts: ['2027-03-12 2650 usd INV-32'],
    others: ['3 debit'],
  },
  {
    name: 'RBC in Canada, a column for each currency',
    text: lines(
      '"Account Type","Account Number","Transaction Date","Cheque Number","Description 1","Description 2","CAD$","USD$"',
      'Chequing,00010-1234567,3/14/2027,,"ONLINE TRANSFER INV-33","ACME",1000.00,',
      'Chequing,00010-1234567,3/15/2027,,"MONTHLY FEE",,-10.95,',
    ),
    fields: mapped({ date: 'Transaction Date', amount: 'CAD$', reference: 'Description 1' }, american),
    receipts: ['2027-03-14 1000 usd ONLINE TRANSFER INV-33'],
    others: ['3 debit'],
  },
  {
    name: 'HDFC in India, groups of two digits',
    text: lines(
      'Date,Narration,Value Dat,Debit Amount,Credit Amount,Chq/Ref Number,Closing Balance',
      '02/03/27,NEFT ACME INV-34,02/03/27,0.00,"1,18,000.00",N001,"2,18,000.00"',
      '03/03/27,UPI SHOP,03/03/27,450.00,0.00,N002,"2,17,550.00"',
    ),
    fields: mapped(
      { date: 'Date', amount: 'Credit Amount', debit: 'Debit Amount', reference: 'Narration' },
      { date_format: 'DD/MM/YY' },
    ),
    receipts: ['2027-03-02 118000 usd NEFT ACME INV-34'],
    others: ['3 debit'],
  },
];
