import type { AbsenceName } from './absences.ts'
import type { Setting } from './world.ts'

/** Cells of the table in which a session that has ended is still read, and what documents it. No cell has an effect. */
export interface Exception {
  readonly rows: readonly string[]
  readonly absences: readonly AbsenceName[]
  readonly appliesTo?: (setting: Setting) => boolean
  /** The option or sentence that allows it. */
  readonly documented: string
}

/** What only shows the session, as it is read. */
const READS = ['GET session', 'getSession', 'GET signin']
/** What changes the session, and returns it. */
const CHANGES = ['POST session', 'update', 'sessions.rotate']
const PROXY = 'a proxy of Next without an adapter'

export const EXCEPTIONS: readonly Exception[] = [
  {
    rows: [...READS, ...CHANGES],
    absences: ['replaced'],
    documented: 'sessions.rotate: the old token can be read for 30 seconds, and changes nothing',
  },
  {
    rows: [...READS, ...CHANGES],
    absences: ['no_user'],
    documented:
      'as in Auth.js, a token without `sub` is a session; it is a session of no stored user',
  },
  {
    rows: READS,
    absences: [
      'revoked',
      'user revoked',
      'user deleted',
      'replaced half a minute ago',
      'store down',
    ],
    appliesTo: ({ check }) => check === 'on-renewal',
    documented: 'session.revocation.check: on-renewal accepts a session until its token is due',
  },
  {
    rows: ['getToken'],
    absences: [
      'revoked',
      'user revoked',
      'user deleted',
      'replaced',
      'replaced half a minute ago',
      'declined',
      'hidden',
      'no_user',
      'store down',
    ],
    documented: 'getToken opens a token, and neither queries a store nor calls callbacks',
  },
  {
    rows: [PROXY],
    absences: [
      'revoked',
      'user revoked',
      'user deleted',
      'replaced',
      'replaced half a minute ago',
      'no_user',
      'store down',
    ],
    documented: 'a proxy without an adapter cannot know what was revoked: see the guide on Next',
  },
]
