/** An exact rational number: a reduced fraction with a positive denominator. Only the oracles use it. */
export class Rational {
  readonly over: bigint;
  readonly under: bigint;

  constructor(over: bigint, under = 1n) {
    let [divisor, rest] = [magnitude(over), magnitude(under)];
    while (rest !== 0n) [divisor, rest] = [rest, divisor % rest];
    const sign = under < 0n ? -1n : 1n;
    this.over = (sign * over) / divisor;
    this.under = (sign * under) / divisor;
  }

  /** Parses decimal text. */
  static of(text: string): Rational {
    const [, sign, whole, decimals = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
    if (whole === undefined) throw new Error(`not a decimal number: ${text}`);
    return new Rational(BigInt(`${sign}${whole}${decimals}`), 10n ** BigInt(decimals.length));
  }

  static sum(all: readonly Rational[]): Rational {
    return all.reduce((soFar, one) => soFar.plus(one), new Rational(0n));
  }

  plus(other: Rational): Rational {
    return new Rational(this.over * other.under + other.over * this.under, this.under * other.under);
  }

  minus(other: Rational): Rational {
    return this.plus(other.times(new Rational(-1n)));
  }

  times(other: Rational): Rational {
    return new Rational(this.over * other.over, this.under * other.under);
  }

  dividedBy(other: Rational): Rational {
    return new Rational(this.over * other.under, this.under * other.over);
  }

  compare(other: Rational): -1 | 0 | 1 {
    const difference = this.over * other.under - other.over * this.under;
    if (difference === 0n) return 0;
    return difference > 0n ? 1 : -1;
  }

  /** -1, 0 or 1. */
  sign(): number {
    return this.compare(new Rational(0n));
  }

  /** The largest whole number not above this one. */
  floor(): bigint {
    const whole = this.over / this.under;
    return this.over % this.under < 0n ? whole - 1n : whole;
  }

  /** The nearest whole number. Halves are rounded away from zero. */
  nearest(): bigint {
    const size = new Rational(magnitude(this.over), this.under).plus(new Rational(1n, 2n)).floor();
    return this.over < 0n ? -size : size;
  }
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}
