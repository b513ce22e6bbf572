type ChoiceProps<Each extends string> = {
  /** For assistive technology. */
  readonly legend: string
  readonly name: string
  readonly choices: readonly Each[]
  readonly chosen: Each
  readonly onChoose: (choice: Each) => void
}

/** A radio group, so that arrow keys move through the choices. */
export const Choice = <Each extends string>(props: ChoiceProps<Each>) => {
  const { legend, name, choices, chosen, onChoose } = props
  return (
    <fieldset class="ranges">
      <legend class="hidden">{legend}</legend>
      {choices.map((each) => (
        <label key={each} class={each === chosen ? 'chosen' : ''}>
          <input
            type="radio"
            name={name}
            value={each}
            checked={each === chosen}
            onChange={() => onChoose(each)}
          />
          {each}
        </label>
      ))}
    </fieldset>
  )
}
