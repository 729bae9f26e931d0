import { UNKNOWN } from './reading.ts'

/** The value of a logical expression. The right side is read only if it counts. */
export function readLogical(operator: string, left: unknown, right: () => unknown): unknown {
  if (left === UNKNOWN) return UNKNOWN
  if (operator === '??') return left ?? right()
  return operator === '||' ? left || right() : left && right()
}

/** The value of a binary expression. */
export function calculate(operator: string, left: unknown, right: unknown): unknown {
  if (left === UNKNOWN || right === UNKNOWN) return UNKNOWN
  if (operator === '===') return left === right
  if (operator === '!==') return left !== right
  if (operator === '+' && typeof left === 'string') return left + String(right)
  if (typeof left !== 'number' || typeof right !== 'number') return UNKNOWN
  if (operator === '+') return left + right
  if (operator === '-') return left - right
  return operator === '*' ? left * right : UNKNOWN
}
