'use client'
import { useSession } from '@siteauth/next/react'

export function Shown() {
  const { data, status } = useSession()
  return (
    <output id="client">
      {status} {data?.user?.name}
    </output>
  )
}
