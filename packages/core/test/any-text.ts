import fc from 'fast-check'

/**
 * Any text that can be sent as UTF-8. The same as `fc.string({ unit: 'binary' })`, which takes a second to
 * get ready.
 */
export function anyText(constraints: fc.ArrayConstraints = {}): fc.Arbitrary<string> {
  const codePoint = fc.oneof(
    fc.integer({ min: 0, max: 0x7f }),
    fc.integer({ min: 0, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0x10ffff }),
  )
  return fc.array(codePoint, constraints).map(codes => String.fromCodePoint(...codes))
}
