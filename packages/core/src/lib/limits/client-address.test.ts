import { describe, expect, it } from 'vitest'
import type { Sender } from '../http/request.ts'
import { type ClientAddress, clientAddress } from './client-address.ts'

function addressBy(
  rule: ClientAddress | undefined,
  sent: Record<string, string>,
  sender?: Sender,
): string | undefined {
  const url = new URL('https://app.example.com/auth')
  return clientAddress(rule, {
    url,
    headers: new Headers(sent),
    ...(sender && { sender: () => sender }),
  })
}

const sent = { 'x-forwarded-for': '6.6.6.6, 1.1.1.1, 2.2.2.2', 'x-real-ip': '6.6.6.6' }
const sender: Sender = { address: '9.9.9.9', hops: ['10.0.0.1', '2.2.2.2', '6.6.6.6'] }

it('is what the server is sure of without a rule, and nothing that anybody sends', () => {
  expect(addressBy(undefined, { ...sent, forwarded: 'for=6.6.6.6' })).toBeUndefined()
  expect(addressBy(undefined, sent, sender)).toBe('9.9.9.9')
})

describe('behind proxies of ours', () => {
  it('is what the outermost of them saw, whatever a visitor wrote before it', () => {
    expect(addressBy({ trustedProxies: 1 }, sent)).toBe('2.2.2.2')
    expect(addressBy({ trustedProxies: 2 }, sent)).toBe('1.1.1.1')
    expect(addressBy({ trustedProxies: 1 }, {}, sender)).toBe('2.2.2.2')
  })

  it('is who connected where there are none', () => {
    expect(addressBy({ trustedProxies: 0 }, sent, sender)).toBe('10.0.0.1')
    expect(addressBy({ trustedProxies: 0 }, sent)).toBeUndefined()
  })

  it('is unknown where fewer wrote than there are', () => {
    expect(addressBy({ trustedProxies: 4 }, sent)).toBeUndefined()
    expect(addressBy({ trustedProxies: 4 }, sent, sender)).toBeUndefined()
    expect(addressBy({ trustedProxies: 1 }, {})).toBeUndefined()
  })
})

it('can be in a header that the platform sets', () => {
  const rule = { header: 'CF-Connecting-IP' }
  expect(addressBy(rule, { 'cf-connecting-ip': '2.2.2.2' }, sender)).toBe('2.2.2.2')
  expect(addressBy(rule, {}, sender)).toBeUndefined()
})

it('can be what a function of the application answers', () => {
  const rule: ClientAddress = ({ headers }) => headers.get('x-own') ?? undefined
  expect(addressBy(rule, { 'x-own': '2.2.2.2' })).toBe('2.2.2.2')
  expect(addressBy(rule, {}, sender)).toBeUndefined()
})
