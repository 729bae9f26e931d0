'use client'

import { useState } from 'react'
import { tellSecret } from './actions'

export function Secret() {
  const [told, setTold] = useState('')
  const ask = () =>
    tellSecret().then(setTold, () => {
      setTold('nothing')
    })
  return (
    <p>
      <button type="button" onClick={ask}>
        Secret
      </button>{' '}
      <output>{told}</output>
    </p>
  )
}
