import * as oauth from 'oauth4webapi'
import { CLOCK_TOLERANCE } from '../base/ports.ts'
import {
  ProviderError,
  type ProviderErrorFacts,
  readable,
  rejectionError,
} from './provider-error.ts'

/**
 * A client at a time in milliseconds. The library reads the clock itself; the difference to our clock is passed to
 * it.
 */
export function clientAt(client: oauth.Client, now: number): oauth.Client {
  const skew = client[oauth.clockSkew] ?? 0
  return {
    [oauth.clockTolerance]: CLOCK_TOLERANCE,
    ...client,
    [oauth.clockSkew]: skew + Math.floor(now / 1000) - Math.floor(Date.now() / 1000),
  }
}

/**
 * Runs what calls the protocol library. Its errors carry whole answers and claims as their cause, and with
 * them tokens, codes and nonces: they become faults that are safe to log, with the message, and the two
 * values that were compared where they are public.
 */
export async function withoutSecrets<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call()
  } catch (error) {
    throw error instanceof Error ? toSafeError(error) : error
  }
}

function toSafeError(error: Error): Error {
  if (error instanceof oauth.WWWAuthenticateChallengeError) {
    const challenge = error.cause.find(({ parameters }) => parameters.error)?.parameters
    return rejectionError(error.status, challenge?.error, challenge?.error_description)
  }
  const { code } = error as { code?: unknown }
  if (!isProtocolError(error, code)) return error
  return new ProviderError(error.message, { code, ...comparison(error.cause) })
}

function isProtocolError(error: Error, code: unknown): boolean {
  return (
    error instanceof oauth.OperationProcessingError ||
    error instanceof oauth.UnsupportedOperationError ||
    error instanceof oauth.ResponseBodyError ||
    code === 'ERR_INVALID_ARG_VALUE' ||
    code === 'ERR_INVALID_ARG_TYPE'
  )
}

// Claims that say nothing about a person and unlock nothing.
const publicClaims = ['iss', 'aud', 'azp', 'exp', 'nbf', 'iat', 'auth_time']

function comparison(cause: unknown): ProviderErrorFacts {
  if (typeof cause !== 'object' || cause === null) return {}
  const { claim, claims, expected, header } = cause as Record<string, unknown>
  if (typeof claim === 'string' && publicClaims.includes(claim)) {
    return { claim, expected, found: member(claims, claim) }
  }
  if (header !== undefined) {
    return { expected, alg: readable(member(header, 'alg')), kid: readable(member(header, 'kid')) }
  }
  return typeof claim === 'string' ? { claim } : {}
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Record<string, unknown>)[name] // an object: reading a member of it cannot fail
    : undefined
}
