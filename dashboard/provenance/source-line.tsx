import type { Provenance } from '../../src/client/types.ts'
import { formatInteger } from '../format/number.ts'
import { formatTs } from '../format/time.ts'
import type { Explain } from '../live/explain.ts'
import { BlockLink, HexAndLink } from '../parts/explorer.tsx'
import { numberWordsOf } from '../words/number-words.ts'

export type Input = Provenance['fields'][number]['inputs'][number]
type Source = Input['source']
type SourceOf<Kind extends Source['kind']> = Extract<Source, { kind: Kind }>

type BlockProps = { readonly block: number; readonly hash?: string | null; readonly name: string }

const Block = ({ block, hash = null, name }: BlockProps) => (
  <>
    block <BlockLink block={block} what={`block of ${name}`} />
    {hash === null ? null : (
      <>
        {' '}
        with hash <HexAndLink page={null} hex={hash} what={`block hash of ${name}`} />
      </>
    )}
  </>
)

const Read = ({ source, name }: { readonly source: SourceOf<'read'>; readonly name: string }) => (
  <>
    <code>{source.call}</code> of the contract{' '}
    <HexAndLink page="address" hex={source.to} what={`contract of ${name}`} />
    {source.block === null ? null : (
      <>
        {' '}
        at <Block block={source.block} hash={source.blockHash} name={name} />
      </>
    )}
    , call data <HexAndLink page={null} hex={source.data} what={`call data of ${name}`} />
  </>
)

const Log = ({ source, name }: { readonly source: SourceOf<'log'>; readonly name: string }) => (
  <>
    Log {source.logIndex} of the transaction{' '}
    <HexAndLink page="tx" hex={source.txHash} what={`transaction of ${name}`} /> in{' '}
    <Block block={source.block} hash={source.blockHash} name={name} />
  </>
)

const Logs = ({ source, name }: { readonly source: SourceOf<'logs'>; readonly name: string }) => {
  const { address, topic, fromBlock, toBlock } = source
  return (
    <>
      Logs of <HexAndLink page="address" hex={address} what={`contract of ${name}`} />
      {topic === null ? null : (
        <>
          {' '}
          about <HexAndLink page={null} hex={topic} what={`topic of ${name}`} />
        </>
      )}{' '}
      {fromBlock === toBlock ? (
        <>
          in <Block block={fromBlock} name={name} />
        </>
      ) : (
        <>
          from block {formatInteger(fromBlock)} to {formatInteger(toBlock)}
        </>
      )}
    </>
  )
}

type LineProps = {
  readonly input: Input
  /** Shows how another number was made. */
  readonly onField: Explain
}

/** Where an input comes from, so that anybody can fetch it. */
export const SourceLine = ({ input: { name, source }, onField }: LineProps) => {
  switch (source.kind) {
    case 'field':
      return (
        <button type="button" class="step" onClick={() => onField(source.field)}>
          {numberWordsOf(source.field)}: how it was made
        </button>
      )
    case 'read':
      return <Read source={source} name={name} />
    case 'log':
      return <Log source={source} name={name} />
    case 'logs':
      return <Logs source={source} name={name} />
    case 'block':
      return (
        <>
          Header of <Block block={source.block} hash={source.blockHash} name={name} />
        </>
      )
    case 'quote':
      return (
        <>
          Quote by {source.source}, published {formatTs(source.publishedTs)}, fetched{' '}
          {formatTs(source.fetchedTs)}
        </>
      )
    case 'reference':
      return (
        <>
          Last price by {source.source} from {formatTs(source.fromTs)} to {formatTs(source.toTs)}
        </>
      )
    case 'request':
      return (
        <>
          List of this service:{' '}
          <a href={source.path} target="_blank" rel="noopener">
            {source.path}
          </a>
        </>
      )
    case 'service':
      return <>Observed by this service itself, {formatTs(source.ts)}</>
  }
}
