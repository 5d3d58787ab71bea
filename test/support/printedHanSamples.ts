import { acme, northwind, sampleInvoice, sampleTax } from './printed.ts';

/** Invoices in Japanese and Chinese, whose papers are pictures of tests. */

const january: [Date, Date] = [new Date('2027-01-05T06:00:00Z'), new Date('2027-02-05T06:00:00Z')];
const tokyo = { address1: '丸の内1-1-1', city: '千代田区', state: '東京都', postalCode: '100-0005', country: 'JP' };
const osaka = { address1: '本町2-3-4', city: '大阪市', state: '大阪府', postalCode: '541-0053', country: 'JP' };
const beijing = { address1: '建国路1号', city: '北京市', state: null, postalCode: '100022', country: 'CN' };

export const japanese = sampleInvoice(
  [
    {
      name: 'サポート時間（リモート）',
      description: 'エンジニアによる遠隔サポート',
      quantity: '2',
      unitCost: '12000',
    },
    { name: '测量仪器维护合同 — 高级', unitCost: '98000' },
    { name: '지원 시간', unitCost: '5000' },
  ],
  { currency: 'jpy' },
  {
    seller: { ...acme, ...tokyo, name: 'アクメ計測株式会社', taxId: 'T1234567890123' },
    buyer: { ...northwind, ...osaka, name: '北風商事株式会社', language: 'ja', attentionTo: '山田 太郎' },
  },
);

export const chinese = sampleInvoice(
  [
    {
      name: '支持工时',
      description: '工程师远程支持，包括测量仪器的安装、校准与培训，以及按照约定提交的书面报告',
      quantity: '2',
      unitCost: '1200',
    },
    { name: '测量仪器年度维护合同 — 高级', unitCost: '9800.5', period: january },
  ],
  // 2,400.00 + 9,800.50 + 6 % of it: 732.03
  {
    currency: 'cny',
    subtotal: '12200.50',
    total: '12932.53',
    balance: '12932.53',
    taxes: [sampleTax('增值税', 6, '732.03')],
    notes: '感谢您的惠顾。',
  },
  {
    seller: { ...acme, ...beijing, name: '艾克美测量仪器有限公司' },
    buyer: { ...northwind, ...beijing, name: '北风贸易有限公司', language: 'zh', attentionTo: '王芳' },
  },
);
