import { expect, it } from 'vitest'
import { fillTemplate, fillTemplates, readPath } from './template.ts'

it('fills names and members of objects', () => {
  const values = { account: 7, token: { openid: 'o' } }
  expect(fillTemplate('https://{account}.example.com/{token.openid}', values)).toBe(
    'https://7.example.com/o',
  )
})

it('puts one slash where a value ends in one', () => {
  expect(fillTemplate('{issuer}/me', { issuer: 'https://example.com//' })).toBe(
    'https://example.com/me',
  )
  expect(fillTemplate('{issuer}', { issuer: 'https://example.com/' })).toBe('https://example.com/')
})

it.each([undefined, null, '', {}, []])('has no text where a value is %j', value => {
  expect(fillTemplate('https://{host}/me', { host: value })).toBeUndefined()
  expect(fillTemplates({ kept: 'a', lost: '{host}' }, { host: value })).toEqual({ kept: 'a' })
})

it('finds what stands at a path, and nothing that is inherited', () => {
  const profile = { data: { images: [{ url: 'u' }] }, 'cognito:username': 'ada' }
  expect(readPath(profile, 'data.images[0].url')).toBe('u')
  expect(readPath(profile, 'cognito:username')).toBe('ada')
  expect(readPath(profile, 'data.images[1].url')).toBeUndefined()
  expect(readPath(profile, 'constructor.name')).toBeUndefined()
  expect(readPath(undefined, 'data')).toBeUndefined()
})
