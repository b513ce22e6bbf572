import { poolTopics } from '../src/domain/ingest/decode-pool-log.ts'
import { answerUpdatedTopic, multiplierUpdatedTopic } from '../src/domain/stock/onchain-events.ts'

/** The topics that the indexer requests, for every emitting address. */
export const followedTopics = [...poolTopics, answerUpdatedTopic, multiplierUpdatedTopic]
