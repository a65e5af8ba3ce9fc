// What the mechanism can do and what is wrong with it, in words, with what one click would mend.

import { useEffect } from "preact/hooks";
import { check, fix, wiggle } from "../app/actions";
import { pause } from "../app/clock";
import * as s from "../app/state";
import { words } from "../words";
import { Button, Icon, Section } from "./bits";

export function CheckPanel() {
  const found = s.checked.value;
  useEffect(() => {
    if (!s.checked.value && !s.tasks.value.length) void check();
  }, [s.doc.value?.revision]);
  const problems = found?.problems ?? s.shown.value?.problems ?? [];
  const fixes = [...(found?.fixes ?? s.shown.value?.fixes ?? [])];
  return (
    <>
      <Section title={words.check.title} aside={<Button label={words.check.run} act={() => void check()} />}>
        {found ? <p class="said">{found.words}</p> : <p class="hint">{words.check.running}</p>}
      </Section>
      <Section title={words.check.problems}>
        {problems.length === 0 ? <p class="good"><Icon name="check" /> {words.check.noProblems}</p> : null}
        {problems.map((problem, k) => <p class="bad" key={k}>{problem.text} {problem.advice}</p>)}
        {fixes.length ? (
          <ul class="fixes">
            {fixes.map((one, k) => (
              <li key={k}><Button label={one.text} kind="main" act={() => void fix(one)} /></li>
            ))}
          </ul>
        ) : null}
      </Section>
      {found ? (
        <>
          <Section title={`${words.check.freedoms}${found.freedom === null ? "" : `: ${found.freedom}`}`}>
            {found.freedoms.length === 0 ? <p class="hint">{words.check.rigid}</p> : null}
            <ul class="fixes">
              {found.freedoms.map((text, k) => (
                <li key={k}>
                  <span>{text}</span>
                  {s.frames.value && s.frameLabel.value === text ? (
                    <Button label={words.check.stop} act={pause} />
                  ) : (
                    <Button label={words.check.wiggle} act={() => void wiggle(k + 1, text)} />
                  )}
                </li>
              ))}
            </ul>
          </Section>
          <Section title={words.check.redundant}>
            {found.redundant.length === 0 ? <p class="good"><Icon name="check" /> {words.check.noRedundant}</p> : null}
            {found.redundant.map((text) => <p key={text}>{text}</p>)}
          </Section>
        </>
      ) : null}
    </>
  );
}
