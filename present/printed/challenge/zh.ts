import type { ChallengeWords } from './wording.ts';

export const zh: ChallengeWords = {
  bank: '测试银行',
  authenticateTitle: '验证',
  question: '是您本人吗？',
  why: '在这里，发卡银行会要求其客户进行验证。此页面代表银行的页面。',
  payment: '付款',
  saveCard: '保存银行卡',
  noCharge: '不扣款',
  authenticate: '通过验证',
  fail: '拒绝',
  endedTitle: '此请求已结束',
  endedWhy: '它已被回复，或等待时间过长。',
  back: '返回',
  missingTitle: '这里没有内容',
  missingWhy: '地址不完整。',
  foreignTitle: '已拒绝',
  foreignWhy: '回复来自其他网站。',
};
