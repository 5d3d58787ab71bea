import type { WaitingWords } from './wording.ts';

export const zh: WaitingWords = {
  task: {
    asked: { other: '涉及 {count} 张未付发票。最早到期日：{day}。' },
    owing: '客户有 {amount} 已逾期未付。',
    due: '计划日期为 {day}。',
    undated: '没有到期日。',
  },
  promise: '客户承诺在 {day} 前支付 {amount}，但款项未到。',
  line: '客户对一行明细有异议：{reason}。',
  held: '在 {day} 之前不催收该发票。',
  dispute: '付款人的银行冻结了 {amount}：{reason}。',
  evidence: '证据须在 {day} 前提交。',
  failed: '扣款失败：{reason}。',
  again: '将于 {day} 重试。',
  over: '不再重试。',
  arrived: '{amount} 已于 {day} 到账，但尚未用于任何付款。',
  owed: '客户欠款 {owed}。',
  stranger: '它不属于任何客户。',
  problem: '{step}：{message}。',
  tried: { other: '自 {day} 起已尝试 {count} 次。' },
};
