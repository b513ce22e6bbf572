import { keccak_256 } from '@noble/hashes/sha3'
import type { Keccak256 } from '../domain/dex/identity.ts'

export const keccak256: Keccak256 = (bytes) => `0x${Buffer.from(keccak_256(bytes)).toString('hex')}`
