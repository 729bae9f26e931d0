import { describe, expect, it } from 'vitest'
import { readTokenResponse } from './read-token-response.ts'

const read = (body: object) => readTokenResponse(Response.json({ access_token: 'at', ...body }))

describe('an answer of a token endpoint', () => {
  it('is of type bearer, however that is written or left out', async () => {
    expect(await read({ token_type: 'Bearer' })).toEqual({
      access_token: 'at',
      token_type: 'bearer',
    })
    expect(await read({})).toEqual({ access_token: 'at', token_type: 'bearer' })
  })

  it('may write the number of seconds as a text', async () => {
    expect(await read({ expires_in: '3600' })).toMatchObject({ expires_in: 3600 })
  })

  it.each([['soon'], [0], [-1], ['Infinity'], ['1e300']])(
    'says nothing about the end with expires_in: %j',
    async expires_in => {
      expect(await read({ expires_in })).not.toHaveProperty('expires_in')
    },
  )

  it.each([
    [{ token_type: 'mac' }, /expected a token of type bearer, found mac/],
    [{ refresh_token: { is: 'none' } }, /expected a string as refresh_token, found object/],
    [{ refresh_token: 7 }, /expected a string as refresh_token, found number/],
    [{ scope: { is: 'none' } }, /expected a string as scope, found object/],
    [{ access_token: 7 }, /without access_token/],
  ])('is refused with %j', async (body, message) => {
    await expect(read(body)).rejects.toThrow(message)
  })
})
