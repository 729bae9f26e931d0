import type { CallExpression, Node, ObjectExpression } from 'oxc-parser'
import { nameOf } from '../code/source.ts'
import type { FileEdit } from './file-edit.ts'

/** Puts parts of an object in its place, in any order, with texts between them. What is renamed in the parts stays so. */
export function rebuild(
  { changed }: FileEdit,
  node: Node,
  pieces: readonly (string | Node)[],
): void {
  const parts = pieces.filter(each => typeof each !== 'string')
  if (parts.length === 0) {
    changed.overwrite(node.start, node.end, pieces.join(''))
    return
  }
  let at = node.start
  for (const { start, end } of [...parts].sort((one, other) => one.start - other.start)) {
    if (at < start) changed.remove(at, start)
    at = end
  }
  if (at < node.end) changed.remove(at, node.end)
  let before = ''
  let last: Node | null = null
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      before += piece
      continue
    }
    changed.move(piece.start, piece.end, node.start)
    changed.prependRight(piece.start, before)
    before = ''
    last = piece
  }
  if (last) changed.appendLeft(last.end, before)
}

/** An object that is an argument becomes arguments, in the order of its names. */
export function spread(
  file: FileEdit,
  call: CallExpression,
  index: number,
  order: readonly string[],
): void {
  const given = call.arguments[index]
  if (given) spreadNode(file, call, given, order)
}

export function spreadNode(
  file: FileEdit,
  call: CallExpression,
  given: Node,
  order: readonly string[],
): void {
  const values = given.type === 'ObjectExpression' ? valuesOf(given, order) : null
  if (!values) {
    file.remark(call, `It takes arguments instead of an object: ${order.join(', ')}.`)
    return
  }
  const last = values.findLastIndex(each => each !== null)
  const pieces = values
    .slice(0, last + 1)
    .flatMap((each, at): (string | Node)[] => [...(at > 0 ? [', '] : []), each ?? 'undefined'])
  rebuild(file, given, pieces)
}

function valuesOf(
  { properties }: ObjectExpression,
  order: readonly string[],
): readonly (Node | null)[] | null {
  const named = new Map<string, Node>()
  for (const each of properties) {
    const name = each.type === 'Property' && !each.computed ? nameOf(each.key) : null
    if (each.type !== 'Property' || name === null || !order.includes(name)) return null
    named.set(name, each.value)
  }
  return order.map(name => named.get(name) ?? null)
}
