import { describe, expect, it } from 'vitest'
import { type ClientAddress, clientAddress } from './client-address.ts'

function addressBy(
  rule: ClientAddress | undefined,
  sent: Record<string, string>,
  address?: string,
) {
  const request = {
    url: new URL('https://app.example.com/auth'),
    headers: new Headers(sent),
    address,
  }
  return clientAddress(rule, request, () => request.headers)
}

describe('without a rule', () => {
  it('is what the server knows, and nothing that anybody sends', () => {
    const sent = { 'x-forwarded-for': '1.1.1.1', 'x-real-ip': '1.1.1.1', forwarded: 'for=1.1.1.1' }
    expect(addressBy(undefined, sent)).toBeUndefined()
    expect(addressBy(undefined, sent, '9.9.9.9')).toBe('9.9.9.9')
  })
})

describe('behind proxies of ours', () => {
  const sent = { 'x-forwarded-for': '6.6.6.6, 1.1.1.1, 2.2.2.2' }

  it('is what the outermost of them saw, whatever a visitor wrote before it', () => {
    expect(addressBy({ trustedProxies: 1 }, sent)).toBe('2.2.2.2')
    expect(addressBy({ trustedProxies: 2 }, sent)).toBe('1.1.1.1')
  })

  it('is unknown where fewer wrote than there are', () => {
    expect(addressBy({ trustedProxies: 4 }, sent)).toBeUndefined()
    expect(addressBy({ trustedProxies: 1 }, {})).toBeUndefined()
  })
})

it('can be in a header that the platform sets', () => {
  const rule = { header: 'CF-Connecting-IP' }
  expect(addressBy(rule, { 'cf-connecting-ip': '2.2.2.2' }, '9.9.9.9')).toBe('2.2.2.2')
  expect(addressBy(rule, {}, '9.9.9.9')).toBeUndefined()
})

it('can be what a function of the application answers', () => {
  const rule: ClientAddress = ({ headers }) => headers.get('x-own') ?? undefined
  expect(addressBy(rule, { 'x-own': '2.2.2.2' })).toBe('2.2.2.2')
  expect(addressBy(rule, {}, '9.9.9.9')).toBeUndefined()
})
