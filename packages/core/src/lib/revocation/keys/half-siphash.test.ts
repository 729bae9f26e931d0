import { expect, it } from 'vitest'
import { HalfSipHash } from './half-siphash.ts'

/** A text whose UTF-16 has the bytes 00 01 02 …, and a hash of it, as bytes. */
function hashOf(hash: HalfSipHash, length: number): string {
  const bytes = Uint8Array.from({ length }, (_, index) => index)
  const { low, high } = hash.update(String.fromCharCode(...new Uint16Array(bytes.buffer)))
  return Buffer.from(new Uint32Array([low, high]).buffer).toString('hex')
}

it('hashes the vectors of the reference code whose length is that of a text', () => {
  const hash = new HalfSipHash([0x03020100, 0x07060504])
  expect([0, 2, 4].map(length => hashOf(hash, length))).toEqual([
    '218d1f59b9b83cc8',
    '064f39ef7c50eb57',
    'd5e78a175be52ea1',
  ])
})

it('hashes a text differently in each process', () => {
  const [one, other] = [new HalfSipHash(), new HalfSipHash()]
  expect(hashOf(one, 16)).not.toBe(hashOf(other, 16))
  expect(hashOf(one, 16)).toBe(hashOf(one, 16))
})
