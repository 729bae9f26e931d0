import {
  aspNetIdentity,
  betterAuth,
  django,
  firebase,
  laravel,
  type PasswordVerifier,
  wordpress,
} from '@siteauth/core/passwords'
import { GOOD } from './application.ts'

// A table of users as another system has left it, each with its own kind of hash. All but that of Firebase,
// which is from its README, are of the same password.
export const TABLE: Readonly<Record<string, readonly [hash: string, password: string]>> = {
  laravel: ['$2y$06$CCCCCCCCCCCCCCCCCCCCC.uGN1ufVX4zerW2S91Qo7fWPFIKWSmsC', GOOD],
  django: ['pbkdf2_sha256$1000$seasalt$3xmXbyk2QpiyNcnoBbzRPwEBsYPTbDlRdtmLyBvQltA=', GOOD],
  djangosha1: ['pbkdf2_sha1$1000$seasalt$9iRYj0as1r5j+cCBxB+HMlxkyr4=', GOOD],
  djangoscrypt: [
    'scrypt$seasalt$16384$8$1$0p7hdYaH/83kW4afG1RM9Faf3JuSGOZD8gLda92PSbUUzN27ATHsXCuHq9UfsHmQ23/FS7YsSkQewq+XitVu8g==',
    GOOD,
  ],
  djangobcrypt: [
    'bcrypt_sha256$$2b$05$CCCCCCCCCCCCCCCCCCCCC.Hj1dXHv09DjjbM63xDk5X5vTegF/6Vq',
    GOOD,
  ],
  phpass: ['$P$9abcdefghSJgeL1eoDXhyd2cuYxosM.', GOOD],
  wordpress: ['$wp$2y$05$CCCCCCCCCCCCCCCCCCCCC./M/rpE9MEzueBNhg/xVljJ7/fNAfGDS', GOOD],
  aspnet2: ['AAABAgMEBQYHCAkKCwwNDg8A6b+Q5v/5gBndnBKiBiA27187WD3zrXpRRPbHcnNx7A==', GOOD],
  aspnet3: [
    'AQAAAAEAAAPoAAAAEAABAgMEBQYHCAkKCwwNDg+mmxeeOt08HgqvInoOs6oqqGRauG/s9soAwXUSaXxxng==',
    GOOD,
  ],
  firebase: [
    '$firebase$42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
    'user1password',
  ],
  betterauth: [
    '38d6e177c3a053b2f13e0c7add78ff30:dcceed585810bb519907b436b3a4c284b855884f0f50d4a6f6b48fdedda6c7195cc58bf923ff56e1dfb59b0bc58f995547a2f2e88c47e272e7be9367dd9c9f86',
    GOOD,
  ],
}

/** What checks them. */
export const verifiers: readonly PasswordVerifier[] = [
  laravel(),
  django(),
  wordpress(),
  aspNetIdentity(),
  betterAuth(),
  firebase({
    signerKey:
      'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==',
    saltSeparator: 'Bw==',
    rounds: 8,
    memCost: 14,
  }),
]
