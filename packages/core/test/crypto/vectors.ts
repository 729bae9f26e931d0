// Made by running the published @auth/core 0.41.3. What is written here is in browsers all over the
// world: a change that breaks one of these signs everybody out. All of them expire in 2096.

/** Keys, as they are derived from a secret and the name of a cookie. */
export const KEYS = [
  {
    secret: 'secret',
    purpose: 'authjs.session-token',
    hex: 'b1ef6cdd915c44c0a71232574a6a70546a5e16d12bb38df4638e3b96bdd32025131e90695ff072a9d148f1511c7a4981a85b63a628311da1fa7ccfc49c47c2bb',
    kid: '7x9DUMVaEU6giab0l0OWDt4e4SsRH_cbwMof2EzEyy6onK5o8xSPPB799RVoqm2v6z674kQCv9jom2T8S-a1dQ',
  },
  {
    secret: 'a-much-longer-secret-of-32-characters!!',
    purpose: '__Secure-authjs.session-token',
    hex: 'b04260b8724e98cdc0d8f349e419a9c135cabc568d2aec0887c26438e122bfb335d411c5d00116d2110f410b92065481be7abe1b0a2becbad7d544515aeace34',
    kid: 'adsjA4kiY1q3Yy3hd9DGEKtOSs-2V5_ZTwNKacxHTr9pfhSIUTLZvvRqlnG-LdcMsOjAp7l_r1gzQZ9GyN4JqQ',
  },
] as const

/** The shorter key, for A256GCM, of the first secret. */
export const SHORT_KEY = 'b1ef6cdd915c44c0a71232574a6a70546a5e16d12bb38df4638e3b96bdd32025'

/** Tokens, by what is special about them. */
export const TOKENS = {
  /** Secret `secret`, for `authjs.session-token`. */
  plain:
    'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoiN3g5RFVNVmFFVTZnaWFiMGwwT1dEdDRlNFNzUkhfY2J3TW9mMkV6RXl5Nm9uSzVvOHhTUFBCNzk5UlZvcW0ydjZ6Njc0a1FDdjlqb20yVDhTLWExZFEifQ..bPgbV7-EBTruKLApRVB_8A.4S35lyQ1pNg5LeXUxrJcDi10v0qew36GSmhCIGcIt6D-7qzh3KrchOMY5NrP_HVbaTUOrGYEfcUwyqChR33Ma0VXFslQdfFsk6jMxWm9EvLBSslQIuxVZhJ9uJ27l8g4eARjx7W0epvLadQmgcAFXGN6K10zZd4NWwLImF0HCuS48j5bsh9Wy6bBR7ITcoOAYJ6HiW9FbPf23p-1tWSLfg.VHY3aeeBlkiva4H8ebqUjibgJ2CfWD_y717MjT2yec4',
  /** Secret `a-much-longer-secret-of-32-characters!!`, for `__Secure-authjs.session-token`. */
  secure:
    'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoiYWRzakE0a2lZMXEzWXkzaGQ5REdFS3RPU3MtMlY1X1pUd05LYWN4SFRyOXBmaFNJVVRMWnZ2UnFsbkctTGRjTXNPakFwN2xfcjFnelFaOUd5TjRKcVEifQ..rZzcQDCfKTJqeIFWoi-ARw.8tfoBO0a_rV4S2cesupdtrkMthrm8FwR09vHY90VfvBQ3IHXzx2QZrndaD7OPvts83f5d8FABpQWVJHpJe5VS8n_VWGBz4yabOSpkTsES6Sow6Jp6dseSt-88N7ni1qbrKZdnLEnjafZEwHy2oiXHsoQYW-HIUdEpxqYLVudMhvbV3mkIj1V06TUweINizEv.LDbBOxlKY4Su-jS7L5-J5mEtkAXiF3xjEbGgU87ZkIo',
  /** A256GCM and no key id, secret `secret`, for `authjs.session-token`. */
  gcmWithoutKid:
    'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..yw-y1FNBl_6VIZSz.g1yvwv7Kzrr45sM5c-o99Om59I6QUXVhhT_I6xTv6vYKk3D5dDzNxxDTU8z6Mq1lCUP6PWv7BoghaQcr9vcG8ns7FiANQ7JkdGXPFHUSWLjXmIHzyYxkdXlCtVY.jSPDOWKk3KPJ2uG1dn1qIQ',
  /** Secrets `new` and `old`, for `authjs.session-token`. */
  rotated:
    'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoiX05FLXk4QnNGRlNxNG85VzFyaGdSamxOdU9ZNlpKY19yOWlpU0M5TUJpaVBudWQ3bTQzUndrbjQtaGVDQ25NTE1VaEIyWWtjZ0tka04zc2tYTVNoSGcifQ..gRYXV-jZpOY_UJEqxANAOw.KaZI9oAoQhsnHUzGx5kLsMU9VSMITp4W2WLV9dzLDbdj8lkWOC1wDuaFe1gBat5LLWYoWu56pBMKCnCQFzV6Q9zVPTVN_d-J4WXIOFo3F7NWI6qffsMtmGCQnSWTtHK4.swmzg89FY0CTFiBKaMwIZ9NKKyquYOTKuK79qBR3Dfw',
  /** Secret `old` alone, for `authjs.session-token`. */
  old: 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoiLWQ5WXBOenF5Nk1CNFBZY0ljODExSE9ZdlM2UEY2Z2hOeHd2RjVTal9YbkRyVnFkRkhhTWVzWkJWcVRyaEhYU0xKM1VDNTl1bjB1R2w5M0F4TXJBYlEifQ..SgILdptU124beGUgBQvQ-g.s_SRIjgY4qkb7lfQOJy-BTNmCBVLPK0rastNyT9cmwUobtLVeIkRTwH81fE-8RCy8ojZ9w0hQiMYb7fU17BqqPHdDQfgyXvgXCFuDBISYORLqMoKPRHNPhpVcoG-6wPa.Kfi5JbncFUAvokWUV1nBWb3sPXR3HLp24rUg18aNkVo',
  /** Secret `secret`, for `encodedState`: the parameter that goes to a provider and back. */
  state:
    'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoiemUxckdNUEdWRHViY1hEblhvOE5rZElxZUR5dVNTRzNtSTVnUlBneFJpUmxnRHU5TU1qcnBLdzQtcE5vbWdjVHFpUVpsaXRoMWRDeXNSNnVWUGZLZmcifQ..-0_IXQJsGIVpa7HqCRVCLw.VS5CaxH0BuVUtvwCXIxqV9x4aBFa34NURv_M8eqLm7ArBpcv0VKB4RSfjc2FjFmaf7MJd_u8GZl3wnMmkb1VFtZXZew2kiyGYa5AIvKYHjHS9nDs-RY90rHJCTx44wPtU9XXrnI4wmKHIls0wzXMwQ20iXve_cY8MjawOrm_0vWgPCfb_oPmQIkqI1KTALt9.S1KwDHUZJHIPz8ET79Sx6oCNwrFhjVKIhRqz7aqzYL8',
  /** Secret `secret`, for `authjs.pkce.code_verifier`. */
  pkce: 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoiYmxIVGMwRXBSc1pMX2NWUk1LZy1fLTNUT1BIVmV2VWd1UmVRdUtaNThVQ3pyOVNKSHRFNXk1QWlCTEljTHEyZW9tMzd0VzNfbUh6VEUtT1BYWFo3NmcifQ..RZMieS9fXHipsihaMrCktA.z8RNzJg55dn4Rc5_yPXT1rkTyt6RrOjfr-AuLrsA1D4RxU7MF7QqfWjNr-kAca5HZ2pc3l_j-lZ86WA2qPoi-Z6eTRCAI6eNiF7Y00HQuTKNNvwtbQpJhXlNl_wlwEX25cOVvueAPx4rukcWg_2z65xyUeNMOY8ZvNwz_hqE0Mw.TJUQPg0yt4bvNYrpjsK5q1rU8WX48Iupnr21O7cEodc',
} as const

/** SHA-256 over a CSRF token or the token of an email, and the secret. */
export const HASHES = [
  {
    token: 'a'.repeat(64),
    secrets: ['secret'],
    hex: '903c1490e042a075338b0e597cd889260f671063edb09ab070d2634e8277cf9c',
  },
  {
    token: 'a'.repeat(64),
    secrets: ['new', 'old'],
    hex: '9c18442e55a051fa6f99bbf245176c408ce1d26bb8b56656a77fb79e2029ab12',
  },
] as const
